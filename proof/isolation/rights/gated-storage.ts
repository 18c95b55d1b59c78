import type { BetterAuthOptions } from "better-auth";
import type { KeyScan } from "better-auth-tenants";
import type { Scheduler } from "./scheduler.ts";
import { noteSession } from "./ticket.ts";

type Storage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

/** Lets requests stop before every call of the storage. */
export const gateStorage = (
	storage: Storage & KeyScan,
	{ pass, asking, now, ticket }: Scheduler,
): Storage & KeyScan => {
	const gated = Object.entries(storage).map(([name, method]: [string, unknown]) => [
		name,
		typeof method === "function"
			? async (...given: unknown[]) => {
					await pass();
					const [asked, at] = [ticket(), now()];
					const result: unknown = await asking(async () => method.apply(storage, given));
					const token = tokenIn(result);
					if (asked && token) noteSession(asked, token, at);
					return result;
				}
			: method,
	]);
	return {
		...Object.fromEntries(gated),
		scanKeys: async function* (prefix) {
			await pass();
			yield* storage.scanKeys(prefix);
		},
	};
};

/** The token of a stored session. Sessions are stored with their users, and nothing else is. */
const tokenIn = (stored: unknown): string | null => {
	if (typeof stored !== "string" || !stored.startsWith("{") || !stored.includes('"session":{')) return null;
	const { session } = JSON.parse(stored) as { session: { token: string } };
	return session.token;
};
