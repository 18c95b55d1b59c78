import type { SecondaryStorage } from "@better-auth/core/db";
import { readSessionTokens, SESSION_LIST } from "../scope/stored-sessions.ts";
import { sha256Text } from "../sha256.ts";

type With = {
	storage: SecondaryStorage;
	max: number;
	/** seconds that a session can last */
	lifetime: number;
	end: (tokens: string[]) => Promise<void>;
};

/** What a session is responsible for: its own token, those that it took over, and the numbers that were not written yet. */
type Held = { tokens: string[]; missing: number[] };

/** The keys outlast a user who is erased, so they do not say who it was. */
const countKey = (user: string): string => `limit.sessions:${user}`;
const numberKey = (user: string, number: number): string => `limit.session:${user}:${number}`;

/** A process that crashed never writes its number. */
const MOST_MISSING = 20;

/**
 * Bounds the sessions that are in the storage only, and in no list. Better Auth reads the list of a user's sessions and writes it
 * again, so of two sign-ins at the same time one loses its entry. Whoever signs in often enough at the same time fills the storage
 * with sessions that the list does not bound.
 *
 * So an atomic increment gives each session of a user a number, over all processes. Above the limit, a session takes over what the
 * one that is the limit before it is responsible for, and ends what the list does not have. Each number is written by one session
 * and read by one, so two at the same time lose nothing.
 *
 * Costs one increment per session. Above the limit, two reads, a write and a deletion more.
 */
export const endUnlisted =
	({ storage, max, lifetime, end }: With) =>
	async ({ userId, token }: { userId: string; token: string }): Promise<void> => {
		const user = await sha256Text(userId);
		const number = Number(await storage.increment(countKey(user), lifetime));
		if (number <= max) return;
		const keyOf = (one: number): string => numberKey(user, one);
		/** Reads what a number is responsible for, and those that it found missing: they may have been written since. */
		const takeOver = async (one: number): Promise<Held> => {
			const held = readHeld(await storage.get(keyOf(one)));
			if (!held) return { tokens: [], missing: [one] };
			await storage.delete(keyOf(one));
			const late = await Promise.all(held.missing.map(takeOver));
			return {
				tokens: [...held.tokens, ...late.flatMap((other) => other.tokens)],
				missing: late.flatMap((other) => other.missing),
			};
		};

		const before = number - max;
		// the first ones are as many as the limit, and are not written
		const { tokens, missing } = before > max ? await takeOver(before) : { tokens: [], missing: [] };
		const listed = new Set(tokens.length > 0 ? readSessionTokens(await storage.get(SESSION_LIST + userId)) : []);
		await end(tokens.filter((one) => !listed.has(one)));
		// the list may still lose one that it has
		const kept = { tokens: [...tokens.filter((one) => listed.has(one)), token], missing: missing.slice(-MOST_MISSING) };
		await storage.set(keyOf(number), JSON.stringify(kept), lifetime);
	};

/** Deletes what is counted for a user. For tests: otherwise it expires. */
export const forgetCounts = async (storage: SecondaryStorage, userId: string): Promise<void> => {
	const user = await sha256Text(userId);
	const last = Number(await storage.get(countKey(user))) || 0;
	for (let number = 1; number <= last; number += 1) await storage.delete(numberKey(user, number));
	await storage.delete(countKey(user));
};

const readHeld = (stored: unknown): Held | null => {
	try {
		const held = (typeof stored === "string" ? JSON.parse(stored) : stored) as Held | null;
		return Array.isArray(held?.tokens) && Array.isArray(held.missing) ? held : null;
	} catch {
		return null;
	}
};
