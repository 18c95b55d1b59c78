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
	const mails: { to: string; url: string }[] = [];
	const auth: { handler(request: Request): Promise<Response>; options: object; api: object } = await run(
		blockOf("auth.ts").replace("export const auth =", "return"),
		{
			...{ betterAuth, admin, twoFactor, database, withTenants, fromSubdomain },
			...{ tenantAdmin, tenantInvitations, tenantLifecycle, tenantPolicy, tenantRoles },
			sendMail: async (to: string, _subject: string, url: string) => void mails.push({ to, url }),
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
			baseURL: `https://${slug}.app.example.com`,
			plugins: [tenantAuthClient(), tenantInvitationsClient(), tenantPolicyClient()],
			fetchOptions: { customFetchImpl: fetchAs(browser) },
		});
		return authClient;
	};
	const tokenFor = (email: string): string =>
		new URL(mails.findLast(({ to }) => to === email)?.url ?? "").searchParams.get("token") ?? "";
	return { auth, query, visit, tokenFor };
};

const PASSWORD = "a long enough password";

describe("the guide to a B2B product", () => {
	it("leads from a new customer to an owner who invites and sets the rules of their own tenant", async () => {
		const { auth, query, visit, tokenFor } = await application();
		await run(blockOf("customer"), { auth });
		await run(blockOf("customer").replaceAll(/acme/g, "globex").replaceAll("Acme", "Globex"), { auth });
		const tenants = await query('select "id", "slug" from "tenant"');
		const [acme, globex] = ["acme", "globex"].map((slug) => String(tenants.find((one) => one.slug === slug)?.id));

		const olivia = visit("acme");
		const accepted = await olivia.tenant.invitation.accept({
			token: tokenFor("olivia@acme.com"),
			name: "Olivia",
			password: PASSWORD,
		});
		expect(accepted.error).toBeNull();
		await run(blockOf("owner"), { authClient: olivia, tenantId: acme });
		expect((await olivia.tenant.policy({ query: { tenantId: acme ?? "" } })).data).toMatchObject({
			own: { secondFactor: "required-for-admins" },
			effective: { signUp: "invitation", minPasswordLength: 12 },
		});
		const ben = await visit("acme").tenant.invitation.accept({
			token: tokenFor("ben@acme.com"),
			name: "Ben",
			password: PASSWORD,
		});
		expect(ben.error).toBeNull();

		// nothing of it reaches the neighbor
		const refused = await olivia.tenant.policy({ tenantId: globex ?? "", policy: { signUp: "open" } });
		expect(refused.error?.status).toBe(403);
		const stranger = await visit("globex").signUp.email({ name: "Eve", email: "eve@example.com", password: PASSWORD });
		expect(stranger.error?.code).toBe("SIGN_UP_NOT_ALLOWED");
		const users = await query('select "tenantId", "email", "role" from "user" order by "email"');
		expect(users).toEqual([
			{ tenantId: acme, email: "ben@acme.com", role: "admin" },
			{ tenantId: acme, email: "olivia@acme.com", role: "owner" },
		]);
	});
});
