import { readFileSync } from "node:fs";
import type { BetterAuthPlugin } from "better-auth";
import { admin, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../../src/admin.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { tenantPolicy } from "../../src/policy.ts";

const COMPANIONS = (): BetterAuthPlugin[] => [
	tenantLifecycle(),
	tenantAdmin(),
	tenantInvitations({ acceptURL: "https://app.example.com/invitation", sendInvitation: async () => {} }),
	tenantPolicy(),
];

const RULES = { methods: ["password"], maxSessions: 5, sessionMaxAge: 86_400, minPasswordLength: 10 };

/** Statements of requests in a tenant that is cached. */
const countIn = async (companions: BetterAuthPlugin[], rules?: object): Promise<Record<string, number>> => {
	const { a, ok, database } = await composedWorld([admin({ ...tenantRoles }), twoFactor(), ...companions]);
	if (rules) await ok("/tenant/policy/update", { operator: true, body: { tenantId: a, policy: rules } });
	const signUp = (email: string, browser = new Browser()) =>
		ok("/sign-up/email", { tenant: a, browser, body: { name: "Ada", email, password: PASSWORD } });
	const browser = new Browser();
	await signUp("first@example.com", browser);
	const count = async (run: () => Promise<unknown>): Promise<number> => {
		database.statements.length = 0;
		await run();
		return database.statements.length;
	};
	return {
		"Sign-up": await count(() => signUp("second@example.com")),
		"Sign-in": await count(() =>
			ok("/sign-in/email", {
				tenant: a,
				browser: new Browser(),
				body: { email: "second@example.com", password: PASSWORD },
			}),
		),
		"`/get-session`": await count(() => ok("/get-session", { browser })),
	};
};

it("needs the statements per request that docs/policy.md says", async () => {
	const off = await countIn([]);
	const on = await countIn(COMPANIONS());
	const ruled = await countIn(COMPANIONS(), RULES);
	const rows = Object.keys(off).map((name) => `${name} ${off[name]} ${on[name]} ${ruled[name]}`);
	const page = readFileSync(new URL("../../../../docs/policy.md", import.meta.url), "utf8");
	const section = /^## Statements per request$.*?(?=^## )/ms.exec(page)?.[0] ?? "";
	const shown = [...section.matchAll(/^\| ([^|]+?) +\| (\d+) +\| (\d+) +\| (\d+) +\|$/gm)].map((row) =>
		row.slice(1).join(" "),
	);
	expect(shown).toEqual(rows);
});
