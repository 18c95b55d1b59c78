import type { SecondaryStorage } from "@better-auth/core/db";
import { VERIFICATION } from "../../scope/data/storage.ts";
import { SESSION_LIST } from "../../scope/sessions/stored-sessions.ts";
import type { FieldBounds } from "./field-bounds.ts";
import { tooLong } from "./too-long.ts";

/** The list of a user's sessions, and of their API keys: about 5,000 entries. */
const LIST = 524_288;
const KEY_LIST = "api-key:by-ref:";
const API_KEY = "api-key:";
/** Values of plugins that are not known here. */
const LEAST = 65_536;

/**
 * Bounds what the engine stores besides the database, where one value of a megabyte takes the room of a thousand sessions. A
 * verification has the bounds of its row, a session those of its row and of its user together. Costs no call.
 */
export const boundStorage = (storage: SecondaryStorage, bounds: FieldBounds, given?: number): SecondaryStorage => {
	// quotes and line breaks take two characters in JSON
	const others = given ?? Math.max(LEAST, 2 * (bounds.rowOf("user") + bounds.rowOf("session")));
	const apiKey = Math.max(others, 2 * bounds.rowOf("apikey"));
	const verification = bounds.boundOf("verification", "value");

	const assertFits = (key: string, value: unknown): void => {
		if (typeof value !== "string") return;
		// JSON in JSON can take a multiple of its length, so a long one is read
		if (key.startsWith(VERIFICATION)) {
			if (value.length > verification) bounds.assertFields("verification", parse(value));
			return;
		}
		const most = mostOf(key);
		if (value.length > most) throw tooLong(key, most, "limits.storedValue");
	};
	const mostOf = (key: string): number => {
		if (key.startsWith(SESSION_LIST) || key.startsWith(KEY_LIST)) return LIST;
		return key.startsWith(API_KEY) ? apiKey : others;
	};

	return {
		...storage,
		set: async (key, value, ttl) => {
			assertFits(key, value);
			return storage.set(key, value, ttl);
		},
	};
};

/** What is no row is one long value. */
const parse = (value: string): Record<string, unknown> => {
	try {
		const row: unknown = JSON.parse(value);
		return typeof row === "object" && row !== null ? { ...row } : { value };
	} catch {
		return { value };
	}
};
