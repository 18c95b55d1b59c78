import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { betterAuth } from "better-auth";
import { createAuthClient } from "better-auth/client";
import { getMigrations } from "better-auth/db/migration";
import { admin, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { createDatabase } from "test-kit/databases";
import { describe, expect, it, onTestFinished } from "vitest";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../../src/admin.ts";
import { tenantAuthClient, tenantInvitationsClient, tenantPolicyClient } from "../../src/client.ts";
import { withTenants } from "../../src/index.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { tenantPolicy } from "../../src/policy.ts";
import { fromSubdomain } from "../../src/resolvers.ts";

const GUIDE = readFileSync(new URL("../../../../docs/guides/b2b.md", import.meta.url), "utf8");

/** A code block of the guide, without its imports. Tests run what readers copy. */
const blockOf = (mark: string): string => {
	const code = GUIDE.match(new RegExp(`<!-- b2b:${mark} -->\\n\\n\`\`\`ts\\n([\\s\\S]*?)\`\`\``))?.[1];
	if (!code) throw new Error(`docs/guides/b2b.md has no block ${mark}. Add the comment above a code block.`);
	return code.replace(/^import .*$/gm, "");
};

const run = (code: string, names: object) => runInNewContext(`(async () => {${code}})()`, names);

const application = async () => {
	const { connection: database, close, query } = await createDatabase("sqlite");
	onTestFinished(close);
	const printed: string[] = [];
	const auth: { handler(request: Request): Promise<Response>; options: object; api: object } = await run(
		blockOf("auth.js").replace("export const auth =", "return").replace('new Database("auth.db")', "database"),
		{
			...{ betterAuth, admin, twoFactor, database, withTenants, fromSubdomain },
			...{ tenantAdmin, tenantInvitations, tenantLifecycle, tenantPolicy, tenantRoles },
			process: { env: { BETTER_AUTH_SECRET: "a secret that is long enough for tests" } },
			console: { log: (line: string) => void printed.push(line) },
		},
	);
	await (await getMigrations(auth.options)).runMigrations();
	const fetchAs =
		(browser: Browser) =>
		async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
			const request = new Request(input, init);
			request.headers.set("cookie", browser.header());
			request.headers.set("origin", new URL(request.url).origin);
			const response = await auth.handler(request);
			browser.take(response);
			return response;
		};
	/** What a user of a tenant has in the browser. */
	const visit = (slug: string) => {
		const browser = new Browser();
		const authClient = createAuthClient({
			baseURL: `http://${slug}.localhost:3000`,
			plugins: [tenantAuthClient(), tenantInvitationsClient(), tenantPolicyClient()],
			fetchOptions: { customFetchImpl: fetchAs(browser) },
		});
		return authClient;
	};
	/** What the page of an invitation knows: the link that was sent. */
	const pageFor = (email: string) => {
		const link = printed
			.findLast((line) => line.startsWith(`To ${email}: `))
			?.split(" ")
			.at(-1);
		return { URLSearchParams, location: new URL(link ?? "") };
	};
	return { auth, query, visit, pageFor };
};

const PASSWORD = "a long enough password";

describe("the guide to a B2B product", () => {
	it("leads from a new customer to an owner who invites and sets the rules of their own tenant", async () => {
		const { auth, query, visit, pageFor } = await application();
		await run(blockOf("customer.js"), { auth });
		await run(blockOf("customer.js").replaceAll("initech", "globex").replaceAll("Initech", "Globex"), { auth });
		const tenants = await query('select "id", "slug" from "tenant"');
		const [initech, globex] = ["initech", "globex"].map((slug) => String(tenants.find((one) => one.slug === slug)?.id));

		const olivia = visit("initech");
		await run(blockOf("accept"), { authClient: olivia, ...pageFor("olivia@initech.com") });
		await run(blockOf("owner"), { authClient: olivia });
		expect((await olivia.tenant.policy.get({ query: { tenantId: initech ?? "" } })).data).toMatchObject({
			own: { secondFactor: "required-for-admins" },
			effective: { signUp: "invitation", minPasswordLength: 12 },
		});
		await run(blockOf("accept"), { authClient: visit("initech"), ...pageFor("ben@initech.com") });

		// nothing of it reaches the neighbor
		const refused = await olivia.tenant.policy.update({ tenantId: globex ?? "", policy: { signUp: "open" } });
		expect(refused.error?.status).toBe(403);
		const stranger = await visit("globex").signUp.email({ name: "Eve", email: "eve@example.com", password: PASSWORD });
		expect(stranger.error?.code).toBe("SIGN_UP_NOT_ALLOWED");
		const users = await query('select "tenantId", "email", "role" from "user" order by "email"');
		expect(users).toEqual([
			{ tenantId: initech, email: "ben@initech.com", role: "admin" },
			{ tenantId: initech, email: "olivia@initech.com", role: "owner" },
		]);
	});
});
