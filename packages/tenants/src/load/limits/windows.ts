import { createLargest } from "./largest.ts";
import { createOldestFirst } from "./oldest-first.ts";

/** Whose counter it is: of a tenant, and of the network that began it. Empty if it is of all tenants or of no network. */
export type Owner = { tenantId: string; network: string };

/** One request to count. */
type Counted = { key: string; now: number; length: number; owner?: Owner | undefined };
type Window = { count: number; ends: number };
type Entry = Window & { owner: Owner };
/** The keys of an owner, by the start of their windows. Those with a high count are kept longer. */
type Keys = Record<"rare" | "frequent", ReturnType<typeof createOldestFirst>>;

const MAX_KEYS = 100_000;
/** Of an owner's keys, those with a lower count are evicted first. */
const RARE_COUNT = 10;
/** How many keys each new one checks for the end of their window. More than one, so that ended ones are found in time. */
const CHECKED = 2;
const NOBODY: Owner = { tenantId: "", network: "" };

/**
 * Counts by key in limited memory, although callers can invent keys. If there are too many, the tenant with the most keys loses
 * one, and in it the network with the most: whoever fills the memory pushes out what they filled it with, and never a counter
 * of another tenant or network.
 */
export const createWindows = (maxKeys = MAX_KEYS) => {
	const entries = new Map<string, Entry>();
	const owned = new Map<string, Keys>();
	const tenants = createLargest();
	const networksOf = new Map<string, ReturnType<typeof createLargest>>();
	let checking = entries.entries();

	const add = (key: string, entry: Entry): void => {
		const { tenantId, network } = entry.owner;
		entries.set(key, entry);
		tenants.grow(tenantId);
		const networks = networksOf.get(tenantId) ?? createLargest();
		networksOf.set(tenantId, networks);
		networks.grow(network);
		const keys = owned.get(nameOf(entry.owner)) ?? { rare: createOldestFirst(), frequent: createOldestFirst() };
		owned.set(nameOf(entry.owner), keys);
		keys.rare.add(key);
	};

	const remove = (key: string, { owner }: Entry): void => {
		entries.delete(key);
		const keys = owned.get(nameOf(owner));
		keys?.rare.remove(key);
		keys?.frequent.remove(key);
		if (networksOf.get(owner.tenantId)?.shrink(owner.network)) owned.delete(nameOf(owner));
		if (tenants.shrink(owner.tenantId)) networksOf.delete(owner.tenantId);
	};

	/** Goes on where it stopped, and from the start again at the end. */
	const forgetEnded = (now: number): void => {
		for (let checked = 0; checked < CHECKED; checked += 1) {
			const next = checking.next();
			if (next.done) checking = entries.entries();
			else if (next.value[1].ends <= now) remove(...next.value);
		}
	};

	const evictOne = (): void => {
		const tenantId = tenants.largest() ?? "";
		const network = networksOf.get(tenantId)?.largest() ?? "";
		const keys = owned.get(nameOf({ tenantId, network }));
		const oldest = (keys?.rare.takeOldest() ?? keys?.frequent.takeOldest()) || "";
		const entry = entries.get(oldest);
		if (entry) remove(oldest, entry);
	};

	return {
		countOne: ({ key, now, length, owner = NOBODY }: Counted): Window => {
			const known = entries.get(key);
			if (known && known.ends > now) {
				known.count += 1;
				if (known.count === RARE_COUNT + 1) keepLonger(owned.get(nameOf(known.owner)), key);
				return known;
			}
			if (known) remove(key, known);
			forgetEnded(now);
			if (entries.size >= maxKeys) evictOne();
			const entry = { count: 1, ends: now + length, owner };
			add(key, entry);
			return entry;
		},
	};
};

const keepLonger = (keys: Keys | undefined, key: string): void => {
	keys?.rare.remove(key);
	keys?.frequent.add(key);
};

const nameOf = ({ tenantId, network }: Owner): string => `${tenantId}\n${network}`;
