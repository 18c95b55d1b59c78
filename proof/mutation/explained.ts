import type { Mutant } from "./mutant.ts";

/** Mutants that no test can notice, and why that is right. */
export type Explained = {
	/** below src/ */
	file: string;
	/** what is replaced, on one line */
	original: string;
	/** by what; several if the reason is the same */
	replacement: string | string[];
	/** which of equal mutants in the file */
	nth?: number;
	/** what stays the same, or what else rejects the same */
	why: string;
};

export const EXPLAINED: Explained[] = [
	{
		file: "scope/data/adapter.ts",
		original: "opening || table.derived.length > 0",
		replacement: "true",
		why: "Without derived columns, the other way gives the same row. This one only needs no promise.",
	},
	{
		file: "scope/data/adapter.ts",
		original: "table.derived.length > 0",
		replacement: "table.derived.length >= 0",
		why: "Without derived columns, the other way gives the same row. This one only needs no promise.",
	},
	{
		file: "scope/data/adapter.ts",
		original: "seen.id != null",
		replacement: "true",
		why: "No row has the id that a missing one would prove, so no reference can use the proof.",
	},
	{
		file: "scope/data/adapter.ts",
		original: "seen[field] != null",
		replacement: "true",
		why: "No row has the value that a missing one would prove, so no reference can use the proof.",
	},
	{
		file: "scope/data/adapter.ts",
		original: "pin.prove(pin.current(), model, target, value);",
		replacement: ";",
		why: "A new row proves its references as well. After an update, the next reference would only be looked up again.",
	},
	{
		file: "scope/data/api-key-guard.ts",
		original: "stored == null",
		replacement: "false",
		why: "Nothing is no API key. The result is nothing as well.",
	},
	{
		file: "scope/data/conditions.ts",
		original: "opening || reservedIds.isIn(table.key)",
		replacement: "true",
		why: "The other way gives the same conditions. This one only needs no promise.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "this.#entries.delete(key);",
		replacement: ";",
		why: "An entry that is too old is not returned. This only frees its memory earlier.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "{ stale: false }",
		replacement: "{}",
		why: "A ticket without the property is not stale either.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "{ tickets.delete(ticket); if (tickets.size === 0) this.#loading.delete(key); }",
		replacement: "{}",
		why: "A load that has ended keeps nothing any more. This only frees its memory.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "tickets.delete(ticket);",
		replacement: ";",
		why: "A load that has ended keeps nothing any more. This only frees its memory.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "tickets.size === 0",
		replacement: "false",
		why: "An empty set of loads marks none. This only frees its memory.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "this.#loading.delete(key);",
		replacement: ";",
		why: "An empty set of loads marks none. This only frees its memory.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "this.#maxAgeMs <= 0",
		replacement: ["false", "this.#maxAgeMs < 0"],
		why: "An entry without an age is never returned. This only stores none.",
	},
	{
		file: "lib/bounded-cache.ts",
		original: "oldest !== undefined",
		replacement: "true",
		why: "Only an empty cache has no oldest entry, and then there is nothing to delete.",
	},
	{
		file: "scope/request/credential-columns.ts",
		original: 'typeof value === "object" && value !== null',
		replacement: ["true", 'typeof value === "object" || value !== null'],
		why: "Another JSON value has none of the properties that are read, and they are read with ?.",
	},
	{
		file: "scope/request/credential-columns.ts",
		original: 'typeof value === "object"',
		replacement: "true",
		why: "Another JSON value has none of the properties that are read, and they are read with ?.",
	},
	{
		file: "scope/request/credential-columns.ts",
		original: "value !== null",
		replacement: "true",
		why: "Another JSON value has none of the properties that are read, and they are read with ?.",
	},
	{
		file: "scope/request/credential-columns.ts",
		original: "{ return null; }",
		replacement: "{}",
		why: "The properties are read with ?., from undefined as from null.",
	},
	{
		file: "scope/request/decide.ts",
		original: "tenantId !== null",
		replacement: "true",
		why: "No tenant has the id null, so the lookup finds none.",
	},
	{
		file: "scope/secrets/secrets.ts",
		original: "since === null",
		replacement: "false",
		why: "The key of the cache is another, and as unique: no tenant id contains a space.",
	},
];

export const explains = ({ file, original, replacement, nth = 1 }: Explained, mutant: Mutant): boolean =>
	mutant.file === file &&
	mutant.original === original &&
	[replacement].flat().includes(mutant.replacement) &&
	mutant.nth === nth;

export const whyOf = (mutant: Mutant): string | null => EXPLAINED.find((one) => explains(one, mutant))?.why ?? null;
