import type { BetterAuthOptions } from "better-auth";
import type { KeyScan } from "better-auth-tenants";
import type { Scheduler } from "./scheduler.ts";

type Storage = NonNullable<BetterAuthOptions["secondaryStorage"]>;

/** Lets requests stop before every call of the storage. */
export const gateStorage = (storage: Storage & KeyScan, { pass, asking }: Scheduler): Storage & KeyScan => {
	const gated = Object.entries(storage).map(([name, method]: [string, unknown]) => [
		name,
		typeof method === "function"
			? async (...given: unknown[]) => {
					await pass();
					return asking(async () => method.apply(storage, given));
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
