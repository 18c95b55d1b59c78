import type { BetterAuthPlugin } from "@better-auth/core";
import type { Provided } from "../engine/service.ts";

/**
 * What a feature gives to the plugin that it belongs to. Write `satisfies Feature`: an annotation would hide the types of the
 * endpoints from applications.
 */
export type Feature = {
	/** its endpoints, each under its name in `auth.api`. Takes what `plugin/plugin.ts` has when it is made */
	endpoints?: (given: never) => NonNullable<BetterAuthPlugin["endpoints"]>;
	/** Builds its services when Better Auth starts, out of those of the floors below. */
	start?: (core: never) => { services: readonly Provided[] };
};
