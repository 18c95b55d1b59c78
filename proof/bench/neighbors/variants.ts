import { resolveOptions } from "better-auth-tenants/src/options.ts";
import { limitsSection } from "server/src/config/limits.ts";
import type { ServerSettings } from "../server/settings.ts";

/** How a server is set up. The goals are those of the first; the others say what would help. */
export type Variant = {
	name: string;
	/** hashes computed at the same time */
	atOnce: number;
	/** requests of one tenant that the application lets in at the same time; null where it does not count them */
	inFlightPerTenant: number | null;
};

/** As many as the service lets in. */
const IN_FLIGHT = limitsSection.variables.TENANT_REQUESTS_AT_ONCE.parse(undefined);

/** The plugin alone, and behind what the service puts in front of it. */
export const variantsOf = (): [Variant, ...Variant[]] => {
	const { atOnce } = resolveOptions({}).hashing;
	return [
		{ name: "as it comes", atOnce, inFlightPerTenant: null },
		{ name: `${IN_FLIGHT} requests of a tenant at once, as in the service`, atOnce, inFlightPerTenant: IN_FLIGHT },
	];
};

export const settingsOf = ({ atOnce, inFlightPerTenant }: Variant, databaseURL: string): ServerSettings => ({
	databaseURL,
	hashing: "scrypt",
	tenants: { hashing: { atOnce } },
	...(inFlightPerTenant === null ? {} : { inFlightPerTenant }),
});
