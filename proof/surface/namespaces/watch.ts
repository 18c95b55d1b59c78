import type { SecondaryStorage } from "@better-auth/core/db";
import type { BetterAuthPlugin } from "better-auth";

export type Watch = ReturnType<typeof createWatch>;

/** Records every name under which a running engine stores or sends something. */
export const createWatch = () => {
	const cookies = new Set<string>();
	const verifications = new Set<string>();
	const keys = new Set<string>();
	const tokens = new Set<string>();
	const look = (text: string): void => {
		for (const [token] of text.matchAll(/eyJ[\w-]+\.eyJ[\w-]+\.[\w-]+/g)) tokens.add(token);
	};
	const plugin: BetterAuthPlugin = {
		id: "namespace-watch",
		init: ({ authCookies, createAuthCookie }) => {
			for (const { name } of Object.values(authCookies)) cookies.add(name);
			return {
				context: {
					createAuthCookie: (...asked) => {
						const cookie = createAuthCookie(...asked);
						cookies.add(cookie.name);
						return cookie;
					},
				},
				options: {
					databaseHooks: {
						verification: { create: { before: async ({ identifier }) => void verifications.add(identifier) } },
					},
				},
			};
		},
		onResponse: async (response) => {
			for (const cookie of response.headers.getSetCookie()) cookies.add(cookie.slice(0, cookie.indexOf("=")));
			look([...response.headers.values(), await response.clone().text()].join("\n"));
		},
	};
	const stored = new Map<string, string>();
	const read = (key: string): string | null => {
		keys.add(key);
		return stored.get(key) ?? null;
	};
	const storage: SecondaryStorage = {
		get: read,
		set: (key, value) => {
			keys.add(key);
			stored.set(key, value);
		},
		delete: (key) => void stored.delete(key),
		getAndDelete: (key) => {
			const value = read(key);
			stored.delete(key);
			return value;
		},
		increment: (key) => {
			const count = Number(read(key) ?? 0) + 1;
			stored.set(key, String(count));
			return count;
		},
	};
	return { plugin, storage, look, cookies, verifications, keys, tokens };
};
