import type { Letter } from "./letter.ts";
import { LIFETIMES, letters } from "./letters.ts";

/**
 * A mail before it is written. It is stored like this: the tenant's name is looked up, and the text written, when the
 * mail is sent.
 */
export type LetterRequest =
	| { kind: "verification" | "passwordReset" | "accountDeletion" | "magicLink"; url: string }
	| { kind: "emailChange"; url: string; newAddress: string }
	| { kind: "oneTimeCode"; code: string; purpose: string }
	| { kind: "twoFactorCode"; code: string }
	| { kind: "accountExists" }
	/** `page` contains :id, and optionally :tenant */
	| { kind: "invitation"; page: string; id: string; inviter: string; organization: string };

/** Seconds after which an undelivered mail is useless: its link or code has expired, or the news is a day old. */
export const usefulFor = (kind: LetterRequest["kind"]): number => {
	if (kind === "accountExists") return 86_400;
	return LIFETIMES[kind === "emailChange" ? "verification" : kind];
};

/** Writes a letter in the name of a tenant, or of the server if `slug` is null. */
export const writeLetter = (request: LetterRequest, { name, slug }: { name: string; slug: string | null }): Letter => {
	switch (request.kind) {
		case "verification":
		case "passwordReset":
		case "accountDeletion":
		case "magicLink":
			return letters[request.kind](name, request.url);
		case "emailChange":
			return letters.emailChange(name, request.url, request.newAddress);
		case "oneTimeCode":
			return letters.oneTimeCode(name, request.code, request.purpose);
		case "twoFactorCode":
			return letters.twoFactorCode(name, request.code);
		case "accountExists":
			return letters.accountExists(name);
		case "invitation":
			return letters.invitation(name, invitationPage(request, slug), request);
		default:
			// added by a newer version of the service, which will send it
			throw new Error("This version does not know the kind of the mail");
	}
};

const invitationPage = ({ page, id }: { page: string; id: string }, slug: string | null): string =>
	page.replaceAll(":tenant", slug ?? "").replaceAll(":id", encodeURIComponent(id));
