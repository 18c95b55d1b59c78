import type { IdentifierGroup } from "./identifier.ts";
import { ISSUED_TOKENS } from "./issued-tokens.ts";
import { LINKS_AND_CODES } from "./links.ts";
import { MACHINES } from "./machines.ts";
import { PEOPLE } from "./people.ts";
import { PROCESS } from "./process.ts";
import { SESSIONS } from "./sessions.ts";
import { SIGN_IN_PROVIDERS } from "./sign-in-providers.ts";

/** All identifiers in namespaces that tenants share. docs/namespaces.md is generated from it. */
export const NAMESPACES: IdentifierGroup[] = [
	PEOPLE,
	SESSIONS,
	LINKS_AND_CODES,
	SIGN_IN_PROVIDERS,
	ISSUED_TOKENS,
	MACHINES,
	PROCESS,
];

export const IDENTIFIERS = NAMESPACES.flatMap(({ identifiers }) => identifiers);
