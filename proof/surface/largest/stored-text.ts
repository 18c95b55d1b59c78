import type { Redis } from "ioredis";
import type { Dump, TableRow } from "../stored-state.ts";

/** Where a text is stored, with how many characters, and for how long: undefined for values without an expiry. */
export type Stored = { where: string; characters: number; seconds: number | undefined };

const REDIS = "(redis)";
/** Enough of the text to tell it from everything else; addresses are stored in small letters. */
const MARKED = "z".repeat(32);

/** Every cell of the rows after a call that has the text and had it not before. */
export const findStored = async (before: Dump, after: Dump, redis: Redis | null): Promise<Stored[]> => {
	const found: Stored[] = [];
	for (const [table, rows] of Object.entries(after)) {
		const known = new Set((before[table] ?? []).map((row) => JSON.stringify(row)));
		for (const row of rows) {
			if (known.has(JSON.stringify(row))) continue;
			for (const [column, cell] of Object.entries(row)) {
				const text = typeof cell === "string" ? cell : JSON.stringify(cell);
				if (column === "key" || !text?.toLowerCase().includes(MARKED)) continue;
				const where = table === REDIS ? `Redis ${kindOf(row)}` : `${table}.${column}`;
				const seconds = table === REDIS ? await lifeInRedis(redis, row) : lifeOf(row);
				found.push({ where, characters: text.length, seconds });
			}
		}
	}
	return found;
};

/** What a key stands for, without its ids. */
const kindOf = ({ key }: TableRow): string => {
	const name = String(key).replace(/^[^:]+:(tenant:[^:]+:)?/, "");
	return /^([a-z-]+)[:-]/i.exec(name)?.[1] ?? "session";
};

const lifeInRedis = async (redis: Redis | null, { key }: TableRow): Promise<number | undefined> => {
	const left = (await redis?.ttl(String(key))) ?? -1;
	return left < 0 ? undefined : left;
};

const lifeOf = ({ expiresAt }: TableRow): number | undefined => {
	if (expiresAt == null) return undefined;
	return Math.round((new Date(expiresAt as string | number).getTime() - Date.now()) / 1000);
};
