import type { SecretConfig } from "@better-auth/core";

/**
 * The secrets with which the engine opens what a caller sends with the newest version only, and stored values with each.
 *
 * The engine opens both with the same secrets, but in two ways. A stored value names its version, and `keys.get(version)`
 * finds its secret. For what a caller sends, the engine goes through all `keys`: a cookie is tried with each, and each is
 * derived for a purpose of OAuth. So older versions are found by number, and are not listed. A secret without a version
 * cannot be told apart like this: `checkLeakedSecret` refuses it.
 */
export const newestForCallers = (config: string | SecretConfig): string | SecretConfig =>
	typeof config === "string" ? config : { ...config, keys: new UnlistedVersions(config) };

/** A map that lists the current version only, and finds all. */
class UnlistedVersions extends Map<number, string> {
	readonly #all: ReadonlyMap<number, string>;

	constructor({ keys, currentVersion }: SecretConfig) {
		super([...keys].filter(([version]) => version === currentVersion));
		this.#all = keys;
	}

	override get(version: number): string | undefined {
		return this.#all.get(version);
	}

	override has(version: number): boolean {
		return this.#all.has(version);
	}
}
