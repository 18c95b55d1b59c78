import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { apiKey } from "@better-auth/api-key";
import { oauthProvider } from "@better-auth/oauth-provider";
import { passkey } from "@better-auth/passkey";
import { scim } from "@better-auth/scim";
import { sso } from "@better-auth/sso";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { admin, jwt, organization, twoFactor } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantInvitations, tenantRoles } from "better-auth-tenants/admin";
import { tenantLifecycle } from "better-auth-tenants/lifecycle";
import { tenantPolicy } from "better-auth-tenants/policy";
import { fromSubdomain } from "better-auth-tenants/resolvers";
import type { TenantIsolationAuth } from "better-auth-tenants/testing";
import { createDatabase } from "test-kit/databases";

type GuideAuth = TenantIsolationAuth & { options: object };
type Query = Awaited<ReturnType<typeof createDatabase>>["query"];

const GUIDE = readFileSync(new URL("../../../docs/guides/b2b.md", import.meta.url), "utf8");

/** The configuration of the guide, as a reader pastes it. */
const pasted = (): string => {
	const code = /<!-- b2b:auth\.js -->\n\n```ts\n([\s\S]*?)```/.exec(GUIDE)?.[1];
	if (!code) throw new Error("docs/guides/b2b.md has no block auth.js. Add the comment above its code block.");
	return code.replace(/^import .*$/gm, "").replace("export const auth =", "return");
};

/** Replaces a part of the pasted code. Fails if the guide changed. */
const edit = (code: string, from: string, to: string): string => {
	if (!code.includes(from)) throw new Error(`docs/guides/b2b.md no longer contains ${from}`);
	return code.replace(from, to);
};

/** The other official plugins that a B2B product adds to the guide: SSO, SCIM, API keys, passkeys, an OAuth provider. */
export const morePlugins = (): BetterAuthPlugin[] => [
	jwt(),
	organization(),
	apiKey(),
	passkey({ origin: ["http://localhost:3000"] }),
	sso({ domainVerification: { enabled: true } }),
	scim({ connections: [], managedConnections: { credentialHashSecret: "a secret of the SCIM plugin, 40 letters.." } }),
	oauthProvider({
		loginPage: "/login",
		consentPage: "/consent",
		silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
	}),
];

type GuideWith = {
	/** further plugins inside withTenants */
	plugins?: (query: Query) => BetterAuthPlugin[];
	/** every user of every tenant needs a second factor */
	secondFactor?: boolean;
};

/** The guide's application with an empty, migrated database. */
export const createGuide = async ({ plugins = () => [], secondFactor = false }: GuideWith = {}) => {
	const { connection: database, close, query } = await createDatabase("sqlite");
	let code = edit(pasted(), "twoFactor(),", "twoFactor(), ...more,");
	code = edit(code, 'new Database("auth.db")', "database");
	if (secondFactor) code = edit(code, "minPasswordLength: 12", 'minPasswordLength: 12, secondFactor: "required"');
	const names = {
		...{ betterAuth, admin, twoFactor, database, withTenants, fromSubdomain },
		...{ tenantAdmin, tenantInvitations, tenantLifecycle, tenantPolicy, tenantRoles },
		more: plugins(query),
		process: { env: { BETTER_AUTH_SECRET: "only-for-tests-0123456789abcdefghijk" } },
		// the guide prints its mails
		console: { log: () => {} },
	};
	const auth: GuideAuth = await runInNewContext(`(async () => {${code}})()`, names);
	await (await getMigrations(auth.options)).runMigrations();
	return { auth, query, close };
};
