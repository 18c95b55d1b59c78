import type { Catalog } from "./catalog/en.ts";
import { LIFETIMES } from "./lifetimes.ts";

/** What a one-time code is for. */
export type OneTimePurpose = Exclude<keyof Catalog["oneTimeCode"]["openings"], "other">;

/**
 * A mail before it is written. It is stored like this: the tenant's name, language and sender are looked up, and the text
 * written, when the mail is sent.
 */
export type LetterRequest =
	| { kind: "verification" | "passwordReset" | "accountDeletion" | "magicLink"; url: string }
	| { kind: "emailChange"; url: string; newAddress: string }
	/** `purpose` is a `OneTimePurpose`. Newer versions may add some, and a mail that one stored may be sent by this one */
	| { kind: "oneTimeCode"; code: string; purpose: string }
	| { kind: "twoFactorCode"; code: string }
	| { kind: "accountExists" }
	/** `inviter` is null if an operator invites */
	| { kind: "tenantInvitation"; url: string; inviter: string | null }
	/** `page` contains :id, and optionally :tenant */
	| { kind: "invitation"; page: string; id: string; inviter: string; organization: string };

/** Seconds after which an undelivered mail is useless: its link or code has expired, or the news is a day old. */
export const usefulFor = (kind: LetterRequest["kind"]): number => (kind === "accountExists" ? 86_400 : LIFETIMES[kind]);
