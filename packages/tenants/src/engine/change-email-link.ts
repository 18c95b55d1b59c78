import * as z from "zod";

/** A link that changes an email, as Better Auth signs it. `iat` is in seconds. */
const changeLink = z.object({ email: z.string(), updateTo: z.string(), iat: z.number() });

export type ChangeEmailLink = z.infer<typeof changeLink>;

/** Whether an endpoint opens the links that verify and change emails. */
export const opensEmailLinks = (path: string | undefined): boolean => path === "/verify-email";

/** Reads the token of a link without verifying it. Null if it changes no email. */
export const readChangeEmailLink = (token: unknown): ChangeEmailLink | null => {
	try {
		const payload = String(token).split(".")[1] ?? "";
		const bytes = Uint8Array.from(atob(payload.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
		return changeLink.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
	} catch {
		return null;
	}
};
