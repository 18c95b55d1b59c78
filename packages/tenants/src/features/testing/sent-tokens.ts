import type { AuthContext } from "@better-auth/core";
import { defineCallPart } from "../../lib/call.ts";
import { readTag, withTag } from "../../scope/pin/tag.ts";
import { pinOf } from "../../scope/pin/tenant-context.ts";
import { findInvitations } from "../invitations/invitations.ts";
import type { TenantIsolationSide, TenantIsolationToken } from "./side.ts";

type Send = (...sent: unknown[]) => unknown;

/** The call that sends something. A task that it left running sends later, during another call. */
const sending = defineCallPart<object>();

/** Runs a call of an endpoint, so that what it sends is known to be its own. */
export const inCall = <Result>(call: object, run: () => Result): Result => sending.run(call, run);

/**
 * Calls `onToken` with every token and code that the application is told to send: in links of mails, in invitations, as
 * one-time passwords. The application still sends them. Returns a function that ends it.
 */
export const watchTokens = (
	context: AuthContext,
	onToken: (tenantId: string, token: TenantIsolationToken, call: object | undefined) => void,
): (() => void) => {
	const pin = pinOf({ context });
	const undo: (() => void)[] = [];
	for (const holder of holdersOf(context)) {
		for (const [name, send] of Object.entries(holder)) {
			if (!/^send[A-Z]/.test(name) || typeof send !== "function") continue;
			const purpose = wordsOf(name.slice("send".length));
			const watching: Send = (...sent) => {
				const tenantId = pin.current();
				for (const value of tokensIn(sent, tenantId)) onToken(tenantId, { purpose, value }, sending.now());
				return (send as Send)(...sent);
			};
			if (Reflect.set(holder, name, watching)) undo.push(() => void Reflect.set(holder, name, send));
		}
	}
	return () => {
		for (const one of undo) one();
	};
};

export type SentTokens = ReturnType<typeof createSentTokens>;

/** Keeps the tokens of each side with the call that sent them, also if it sends them when another call runs. */
export const createSentTokens = () => {
	const undone = new WeakSet<object>();
	const callOf = new WeakMap<TenantIsolationToken, object>();
	return {
		add: (side: TenantIsolationSide, token: TenantIsolationToken, call: object | undefined): void => {
			if (call && undone.has(call)) return;
			if (call) callOf.set(token, call);
			side.tokens = [token, ...side.tokens];
		},
		/** Forgets what a call sent and will send, because its rows are undone. */
		undo: (side: TenantIsolationSide, call: object): void => {
			undone.add(call);
			side.tokens = side.tokens.filter((token) => callOf.get(token) !== call);
		},
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
