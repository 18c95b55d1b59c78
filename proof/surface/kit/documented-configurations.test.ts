import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { sso } from "@better-auth/sso";
import type { BetterAuthOptions } from "better-auth";
import { admin, organization, twoFactor, username } from "better-auth/plugins";
import { type TenantAuthOptions, withTenants } from "better-auth-tenants";
import { firstOf, fromCustomDomain, fromPath, fromSubdomain } from "better-auth-tenants/resolvers";
import { assertTenantIsolation } from "better-auth-tenants/testing";
import { createWorld, MANAGEMENT_KEY } from "test-kit/world";
import { expect, it, vi } from "vitest";

vi.setConfig({ testTimeout: 900_000 });

const keys = [MANAGEMENT_KEY];
const hosts: Partial<BetterAuthOptions> = {
	baseURL: { allowedHosts: ["localhost:3000"], fallback: "http://localhost:3000", protocol: "http" },
};

type Configuration = {
	tenantAuth?: TenantAuthOptions;
	plugins?: Parameters<typeof withTenants>[1];
	engine?: Partial<BetterAuthOptions>;
};

/** What README and docs show, by the page and the heading. */
const CONFIGURATIONS: Record<string, Configuration> = {
	"README, quick start": {},
	"README, who may manage": {
		tenantAuth: {
			management: {
				keys,
				userIds: ["somebody"],
				roles: ["admin"],
				authorize: ({ tenantId, session }) =>
					tenantId !== null && session?.session.tenantId === tenantId && session.user.role === "owner",
			},
		},
		plugins: [admin()],
	},
	"README and hosts, subdomains": {
		tenantAuth: { resolveTenantId: fromSubdomain({ domain: "localhost" }) },
		engine: hosts,
	},
	"hosts, custom domains": {
		tenantAuth: { resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: "localhost" })) },
		engine: hosts,
	},
	"hosts, paths": { tenantAuth: { resolveTenantId: fromPath({ pattern: "/t/:tenant/" }) } },
	"hosts, your own lookup": {
		tenantAuth: { resolveTenantId: ({ headers, tenants }) => tenants?.bySlug(headers?.get("x-workspace") ?? "") },
	},
	"hosts, the platform": {
		tenantAuth: {
			resolveTenantId: fromSubdomain({ domain: "localhost" }),
			platform: { signUp: false, signIn: false },
		},
		engine: hosts,
	},
	"plugins, composing": {
		tenantAuth: { management: { keys } },
		plugins: [organization(), passkey({ origin: "http://localhost:3000" }), apiKey(), twoFactor(), username()],
	},
	"operators, impersonating a user": {
		tenantAuth: { management: { roles: ["admin"], audit: () => {}, impersonation: { maxAge: 900 } } },
		plugins: [admin()],
	},
	"transfer, moving tenants and users": { tenantAuth: { management: { keys, audit: () => {}, transfer: true } } },
	"sso, set-up": {
		tenantAuth: {
			management: { authorize: ({ tenantId, session }) => session?.session.tenantId === tenantId },
		},
		plugins: [sso({ domainVerification: { enabled: true } })],
	},
};

/** The paths of the short form: who is who, what they own, and who manages. `KIT=full` attacks all of them. */
const SHORT = [
	"/get-session",
	"/update-user",
	"/sign-in/email",
	"/tenant/get",
	"/tenant/list",
	"/tenant/update",
	"/tenant/methods",
	"/tenant/current",
	"/tenant/domain/list",
	"/tenant/impersonate",
	"/admin/list-users",
];

it.each(Object.entries(CONFIGURATIONS))("%s: isolates tenants, and leaves no row behind", async (_name, given) => {
	const world = await createWorld({
		engine: { logger: { disabled: true }, ...given.engine },
		allPlugins: withTenants({ ...given.tenantAuth, deletion: { drainTime: 0 } }, given.plugins ?? []),
	});
	const lines: string[] = [];
	const only = process.env.KIT === "full" ? {} : { only: SHORT };
	const report = await assertTenantIsolation(world.auth, { ...only, log: (line) => lines.push(line) });
	expect(report.leaks).toEqual([]);
	expect(report.emptyTables).toEqual([]);
	expect(report.reached).toContain("GET /get-session");
	for (const { modelName } of Object.values((await world.auth.$context).tables)) {
		const [counted] = await world.database.query(`select count(*) as "total" from "${modelName}"`);
		expect([modelName, Number(counted?.total)]).toEqual([modelName, 0]);
	}
});
