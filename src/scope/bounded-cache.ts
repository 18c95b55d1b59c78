/**
 * A map that forgets: entries expire after `maxAge` seconds and the oldest goes when `maxSize` is reached, so that
 * 100,000 tenants cost no more memory than `maxSize` of them.
 */
export class BoundedCache<Value> {
	readonly #entries = new Map<string, { value: Value; until: number }>();
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

	set(key: string, value: Value): void {
		if (this.#maxAgeMs <= 0) return;
		this.#entries.delete(key);
		if (this.#entries.size >= this.#maxSize) {
			const oldest = this.#entries.keys().next().value;
			if (oldest !== undefined) this.#entries.delete(oldest);
		}
		this.#entries.set(key, { value, until: Date.now() + this.#maxAgeMs });
	}

	delete(key: string): void {
		this.#entries.delete(key);
	}
}
