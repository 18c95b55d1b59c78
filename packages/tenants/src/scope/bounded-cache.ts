/**
 * A map that forgets: entries expire after `maxAge` seconds and the oldest goes when `maxSize` is reached, so that
 * 100,000 tenants cost no more memory than `maxSize` of them.
 */
export class BoundedCache<Value> {
	readonly #entries = new Map<string, { value: Value; until: number }>();
	/** loads under way; a deletion meanwhile makes what they bring stale */
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

	/** What is known, or what `load` brings. A change that happens while it loads wins: its caller deleted the key. */
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
		// what is found is at least as old as the question
		const asked = Date.now();
		try {
			const value = await load();
			if (!ticket.stale && keep(value)) this.set(key, value, asked);
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
