import { admin, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";
import { tenantPolicy } from "../../../src/policy.ts";
import { form, withClients } from "../../compose/support/oauth-clients.ts";
import { enrollIn } from "./support.ts";

const REFUSED = [400, "invalid_grant"];

/** Two tenants whose users have granted a client a code and a refresh token. */
const createGranted = async (database: "sqlite" | "postgres") => {
	const plugins = [admin({ ...tenantRoles }), twoFactor(), tenantAdmin(), tenantPolicy()];
	const world = await withClients({ database, plugins });
	const { ok, call, redeem, codeOf, tokensOf, a, b } = world;
	type Party = typeof a;
	const grantBy = async (party: Party) => ({
		...party,
		code: await codeOf(party),
		refresh_token: (await tokensOf(party)).refresh_token ?? "",
	});
	type Granted = Awaited<ReturnType<typeof grantBy>>;
	const byCode = async ({ client, code }: Granted) => redeem(client, code);
	const byRefresh = async ({ client, refresh_token }: Granted) =>
		call("/oauth2/token", form({ ...client, grant_type: "refresh_token", refresh_token }));
	/** What a client gets for the code and for the refresh token. */
	const redeemed = async (granted: Granted) => {
		const answers = [await byCode(granted), await byRefresh(granted)];
		return answers.map(({ status, json }) => (status === 200 ? [status] : [status, json.error]));
	};
	const set = ({ tenant }: Party, policy: object) =>
		ok("/tenant/policy/update", { operator: true, body: { tenantId: tenant, policy, force: true } });
	const act = async ({ tenant, browser }: Party, path: string, userId?: string) => {
		const id = userId ?? (await ok("/get-session", { browser })).json.user.id;
		await ok(`/tenant/user/${path}`, { operator: true, body: { tenantId: tenant, userId: id } });
		return id as string;
	};
	return { ...world, a, b, grantBy, redeemed, byRefresh, set, act };
};

describe.each(["sqlite", "postgres"] as const)("what a user granted to an OAuth client, on %s", (database) => {
	// threat 139
	it("gives no tokens once the tenant requires a second factor that the session has not proven", async () => {
		const { a, b, grantBy, redeemed, set } = await createGranted(database);
		const [mine, theirs] = [await grantBy(a), await grantBy(b)];
		await set(a, { secondFactor: "required" });
		expect(await redeemed(mine)).toEqual([REFUSED, REFUSED]);
		expect(await redeemed(theirs)).toEqual([[200], [200]]);
	});

	// threat 139
	it("gives tokens if the session has proven it, and no refresh after the session", async () => {
		const world = await createGranted(database);
		const { a, b, ok, grantBy, redeemed, byRefresh, set } = world;
		for (const { browser } of [a, b]) await enrollIn(world, browser);
		await set(a, { secondFactor: "required" });
		expect(await redeemed(await grantBy(a))).toEqual([[200], [200]]);
		const [mine, theirs] = [await grantBy(a), await grantBy(b)];
		for (const { browser } of [a, b]) await ok("/sign-out", { browser, body: {} });
		const answers = [await byRefresh(mine), await byRefresh(theirs)];
		expect(answers.map(({ status }) => status)).toEqual([400, 200]);
		expect(answers[0]?.json.error).toBe("invalid_grant");
	});

	// threat 139
	it("gives no tokens for a banned user, and a refresh when the ban has ended", async () => {
		const { a, b, grantBy, redeemed, byRefresh, act } = await createGranted(database);
		const [mine, theirs] = [await grantBy(a), await grantBy(b)];
		const id = await act(a, "ban");
		expect(await redeemed(mine)).toEqual([REFUSED, REFUSED]);
		expect(await redeemed(theirs)).toEqual([[200], [200]]);
		await act(a, "unban", id);
		expect((await byRefresh(mine)).status).toBe(200);
	});

	// threat 139
	it("gives no tokens for the code of a session that the policy or an administrator has ended", async () => {
		const { a, b, grantBy, redeemed, set, act } = await createGranted(database);
		const [mine, theirs] = [await grantBy(a), await grantBy(b)];
		await set(a, { methods: ["passkey"] });
		// a refresh token outlasts its session
		expect(await redeemed(mine)).toEqual([REFUSED, [200]]);
		await act(b, "end-sessions");
		expect(await redeemed(theirs)).toEqual([REFUSED, [200]]);
	});
});
