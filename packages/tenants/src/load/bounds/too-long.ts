import { tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";

const { code } = TENANT_AUTH_ERROR_CODES.FIELD_TOO_LONG;

/** The error for a value that is longer than its bound. Names the field if the caller sent one of that name. */
export const tooLong = (field: string, most: number, option = "limits.fields"): APIError => {
	const sent: unknown = tryGetCurrentAuthEndpointContext()?.body;
	// admin endpoints take a user's fields in `data`
	const isSent = hasField(sent, field) || (hasField(sent, "data") && hasField(sent.data, field));
	const message = `${isSent ? field : "A value"} has more than ${most} characters. Shorten it, or raise ${option} of tenantAuth()`;
	return APIError.from("BAD_REQUEST", { code, message });
};

/** Whether an error is the one above. */
export const isTooLong = (error: unknown): error is APIError => error instanceof APIError && error.body?.code === code;

const hasField = <Name extends string>(sent: unknown, name: Name): sent is Record<Name, unknown> =>
	typeof sent === "object" && sent !== null && Object.hasOwn(sent, name);
