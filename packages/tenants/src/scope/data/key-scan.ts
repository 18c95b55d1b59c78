import type { SecondaryStorage } from "@better-auth/core/db";

/**
 * A storage that finds its keys by their beginning. The plugin calls it to delete or move what one tenant has stored,
 * instead of reading the names of all keys.
 *
 * @example
 * ```ts
 * const storage: SecondaryStorage & KeyScan = {
 * 	...yourStorage,
 * 	async *scanKeys(prefix) {
 * 		for (const page of await yourStore.pagesOfNames(prefix)) yield page;
 * 	},
 * };
 * ```
 */
export type KeyScan = {
	/** Returns pages of the keys that start with `prefix`. A key may be returned twice. Pages bound the memory it takes. */
	scanKeys: (prefix: string) => AsyncIterable<string[]>;
};

type KeyList = { listKeys: () => Promise<string[]> };

/**
 * The keys that start with `prefix`, in pages: by the storage's own scan, or from the list of all its keys. Null if the
 * storage can do neither.
 */
export const findKeys = (storage: SecondaryStorage, prefix: string): AsyncIterable<string[]> | null => {
	if (canScan(storage)) return onlyBelow(prefix, storage.scanKeys(prefix));
	if (canList(storage)) return onlyBelow(prefix, listAll(storage));
	return null;
};

const canScan = (storage: SecondaryStorage): storage is SecondaryStorage & KeyScan =>
	"scanKeys" in storage && typeof storage.scanKeys === "function";
const canList = (storage: SecondaryStorage): storage is SecondaryStorage & KeyList =>
	"listKeys" in storage && typeof storage.listKeys === "function";

const listAll = async function* (storage: KeyList): AsyncGenerator<string[]> {
	yield await storage.listKeys();
};

/** A storage that returns too much, for example because its pattern matches more, must not cost other tenants their keys. */
const onlyBelow = async function* (prefix: string, pages: AsyncIterable<string[]>): AsyncGenerator<string[]> {
	for await (const page of pages) {
		const keys = page.filter((key) => key.startsWith(prefix));
		if (keys.length > 0) yield keys;
	}
};
