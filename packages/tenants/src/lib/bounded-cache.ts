/**
 * A cache of limited size. Entries expire after `maxAge` seconds, and the oldest entry is removed at `maxSize`. So
 * 100,000 tenants take no more memory than `maxSize` tenants.
 */
export class BoundedCache<Value> {
	readonly #entries = new Map<string, { value: Value; until: number }>();
	/** pending loads; deleting the key meanwhile marks their result as stale */
	readonly #loading = new Map<string, Set<{ stale: boolean }>>();
	readonly #maxSize: number;
	readonly #maxAgeMs: number;

	constructor({ maxSize, maxAge }: { maxSize: number; maxAge: number }) {
		this.#maxSize = maxSize;
		this.#maxAgeMs = maxAge * 1000;
	}

	get(key: string): Value | undefined {
		const entry = this.#entries.get(key);
		if (!entry) return undefined;
		if (entry.until > Date.now()) return entry.value;
		this.#entries.delete(key);
		return undefined;
	}

	/** Returns the cached value or loads it. If the key is deleted during the load, the result is not cached. */
	async getOrLoad(
		key: string,
		load: () => Promise<Value>,
		keep: (value: Value) => boolean = () => true,
	): Promise<Value> {
		const known = this.get(key);
		if (known !== undefined) return known;
		const ticket = { stale: false };
		const tickets = this.#loading.get(key) ?? new Set();
		this.#loading.set(key, tickets.add(ticket));
		// the age counts from the start of the load
		const startedAt = Date.now();
		try {
			const value = await load();
			if (!ticket.stale && keep(value)) this.set(key, value, startedAt);
			return value;
		} finally {
			tickets.delete(ticket);
			if (tickets.size === 0) this.#loading.delete(key);
		}
	}

	set(key: string, value: Value, since = Date.now()): void {
		if (this.#maxAgeMs <= 0) return;
		this.#entries.delete(key);
		if (this.#entries.size >= this.#maxSize) {
			const oldest = this.#entries.keys().next().value;
			if (oldest !== undefined) this.#entries.delete(oldest);
		}
		this.#entries.set(key, { value, until: since + this.#maxAgeMs });
	}

	delete(key: string): void {
		for (const ticket of this.#loading.get(key) ?? []) ticket.stale = true;
		this.#entries.delete(key);
	}
}
