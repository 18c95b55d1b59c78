import { APIError, BASE_ERROR_CODES } from "@better-auth/core/error";
import { generateRandomString } from "better-auth/crypto";

/** A user, a session or a credential, as the adapter returns it. */
export type Row = Record<string, unknown>;

/** The column of users and sessions. Null, as in rows from before the column, is an epoch like any other. */
export const EPOCH = "rightsEpoch";

/** The column of users with the time from which their API keys count. */
export const API_KEYS_SINCE = "apiKeysSince";

/** A new epoch. It starts with its time, for requests that first see the user later. */
export const newEpoch = (): string => `${Date.now().toString(36)}-${generateRandomString(12, "a-z", "0-9")}`;

/** When an epoch began. The first one has no beginning. */
export const timeOf = (epoch: string | null): number =>
	epoch === null ? 0 : Number.parseInt(epoch.slice(0, epoch.indexOf("-")), 36);

export const epochOf = (row: Row): string | null => (row[EPOCH] as string | null | undefined) ?? null;

/** The refusal of a request whose rights ended: the same as for a session that expired. */
export const ended = (): APIError => APIError.from("UNAUTHORIZED", BASE_ERROR_CODES.SESSION_EXPIRED);
