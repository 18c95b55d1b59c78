/** The names of the values. */
export type FlowCookie = "email" | "reset" | "invitation";
/** Seconds. Long enough for a mail to arrive. */
const MAX_AGE = 1800;

/**
 * Values that the next page needs and that should be in no URL: the address that a mail was sent to, and the tokens of a
 * reset link and of an invitation. None signs anybody in by itself.
 */
export const flowCookies = (header: string | undefined, isSecure: boolean) => {
	// browsers accept the prefix from the host itself only, so no sibling subdomain can set it
	const nameOf = (name: FlowCookie): string => `${isSecure ? "__Host-" : ""}pages-${name}`;
	const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
	return {
		read: (name: FlowCookie): string | null => {
			const found = cookieIn(header, nameOf(name));
			const text = found && Buffer.from(found, "base64url").toString();
			return text && text.length <= 512 ? text : null;
		},
		/** The tenant in which Better Auth has just removed a password. For a text on a page only: visitors can set it. */
		passwordRemovedIn: (): string | null =>
			cookieIn(header, `${isSecure ? "__Secure-" : ""}better-auth.tenant_password_removed`),
		set: (name: FlowCookie, value: string): string =>
			`${nameOf(name)}=${Buffer.from(value).toString("base64url")}; Max-Age=${MAX_AGE}; ${attributes}`,
		remove: (name: FlowCookie): string => `${nameOf(name)}=; Max-Age=0; ${attributes}`,
	};
};

const cookieIn = (header: string | undefined, name: string): string | null => {
	// browsers remove no other spaces: with one before it, "__Host-" is no prefix to them, and any subdomain can set it
	const found = header?.split(/;[ \t]*/).find((pair) => pair.startsWith(`${name}=`));
	return found?.slice(name.length + 1) || null;
};
