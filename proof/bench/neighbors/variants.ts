import { resolveOptions } from "better-auth-tenants/src/plugin/options.ts";
import { limitsSection } from "server/src/config/limits.ts";
import type { ServerSettings } from "../server/settings.ts";

/** The setup of a server. The goals apply to the first; the others show what helps. */
export type Variant = {
	name: string;
	/** concurrent hashes */
	atOnce: number;
	/** concurrent requests of one tenant that the application allows; null if not limited */
	inFlightPerTenant: number | null;
};

/** As many as the service allows. */
const IN_FLIGHT = limitsSection.variables.TENANT_REQUESTS_AT_ONCE.parse(undefined);

/** The plugin alone, and with the limits of the service. */
export const variantsOf = (): [Variant, ...Variant[]] => {
	const { concurrency: atOnce } = resolveOptions({}).hashing;
	return [
		{ name: "as it comes", atOnce, inFlightPerTenant: null },
		{ name: "with limitConcurrency, as in the service", atOnce, inFlightPerTenant: IN_FLIGHT },
	];
};

export const settingsOf = ({ atOnce, inFlightPerTenant }: Variant, databaseURL: string): ServerSettings => ({
	databaseURL,
	hashing: "scrypt",
	tenants: { hashing: { concurrency: atOnce } },
	...(inFlightPerTenant === null ? {} : { inFlightPerTenant }),
});
