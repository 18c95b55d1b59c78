import type { AuthContext } from "@better-auth/core";
import { findInvitations } from "../invitations/invitations.ts";
import { readTag, withTag } from "../scope/tag.ts";
import { servicesOf } from "../services.ts";
import type { TenantIsolationToken } from "./side.ts";

type Send = (...sent: unknown[]) => unknown;

/**
 * Calls `onToken` with every token and code that the application is told to send: in links of mails, in invitations, as
 * one-time passwords. The application still sends them. Returns a function that ends it.
 */
export const watchTokens = (
	context: AuthContext,
	onToken: (tenantId: string, token: TenantIsolationToken) => void,
): (() => void) => {
	const { pin } = servicesOf({ context });
	const undo: (() => void)[] = [];
	for (const holder of holdersOf(context)) {
		for (const [name, send] of Object.entries(holder)) {
			if (!/^send[A-Z]/.test(name) || typeof send !== "function") continue;
			const purpose = wordsOf(name.slice("send".length));
			const watching: Send = (...sent) => {
				const tenantId = pin.current();
				for (const value of tokensIn(sent, tenantId)) onToken(tenantId, { purpose, value });
				return (send as Send)(...sent);
			};
			if (Reflect.set(holder, name, watching)) undo.push(() => void Reflect.set(holder, name, send));
		}
	}
	return () => {
		for (const one of undo) one();
	};
};

/** Options that may contain functions which send something. Plugins that copy their options are not noticed. */
const holdersOf = (context: AuthContext): object[] => {
	const { emailAndPassword, emailVerification, user, plugins = [] } = context.options;
	const ofPlugins = plugins.flatMap(({ options }) => (options ? [options, ...Object.values(options)] : []));
	return [
		...[emailAndPassword, emailVerification, user?.changeEmail, user?.deleteUser],
		...[findInvitations(context)?.options, ...ofPlugins],
	].filter((holder): holder is object => typeof holder === "object" && holder !== null);
};

const wordsOf = (name: string): string => name.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/** A token comes with its tenant, as links have it, and alone, as an attacker would send it to another tenant. */
const tokensIn = (sent: unknown[], tenantId: string): string[] => {
	const [first] = sent;
	if (typeof first !== "object" || first === null) return [];
	const { token, otp, code } = first as Record<string, unknown>;
	const alone = typeof token === "string" ? (readTag(token)?.value ?? token) : undefined;
	const tokens = alone === undefined ? [] : [alone, withTag(alone, tenantId)];
	return [...new Set([...tokens, ...[otp, code].flatMap((one) => (typeof one === "string" ? [one] : []))])];
};
