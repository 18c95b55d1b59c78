import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { twoFactor } from "better-auth/plugins/two-factor";
import { globalProviders, registerClient, signInSocially, useIdentityProvider } from "test-kit/social";
import { createWorld, MANAGEMENT_KEY, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { accountIdOf, authorityOf } from "../../src/features/oauth/account-authority.ts";
import { moveUsersToTenant, PLATFORM, runWithTenant, withTenants } from "../../src/index.ts";
import { deriveTenantSecret } from "../../src/scope/secrets/secrets.ts";

const idp = useIdentityProvider();
const SECRET = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";

const createAccounts = async (options: WorldOptions = {}) => {
	const socialProviders = globalProviders(idp());
	const world = await createWorld({ ...options, engine: { ...options.engine, socialProviders } });
	const [a, b] = [await world.newTenant(), await world.newTenant()];
	const { adapter } = await world.auth.$context;
	const addUser = async (tenantId: string, name: string, account: { providerId: string; accountId: string }) =>
		runWithTenant(tenantId, async () => {
			const now = { createdAt: new Date(), updatedAt: new Date() };
			const { id } = await adapter.create<Record<string, unknown>, { id: string }>({
				model: "user",
				data: { name, email: `${name}@example.com`, emailVerified: true, ...now },
			});
			await adapter.create({ model: "account", data: { userId: id, ...account, ...now } });
			return id;
		});
	const accounts = () => world.database.query('select * from "account" order by "id"');
	return { world, a, b, addUser, accounts };
};

describe("the accounts of users that move", () => {
	it("name their server in a tenant and not on the platform, and sign in to the same user", async () => {
		const { world, a, b, accounts } = await createAccounts();
		const ada = { sub: "s-1", email: "ada@example.com" };
		const { browser } = await signInSocially(world, idp(), undefined, ada);
		const { id } = (await world.call("/get-session", { browser })).json.user;
		// the same subject in the other tenant is another user
		await signInSocially(world, idp(), b, { sub: "s-1", email: "other@example.com" });
		const moves = [
			[PLATFORM, a],
			[a, PLATFORM],
			[PLATFORM, a],
		] as const;
		for (const [from, to] of moves) {
			expect(await moveUsersToTenant(world.auth, { from, to, userIds: [id] })).toMatchObject({ moved: 1 });
			const [account] = (await accounts()).filter(({ userId }) => userId === id);
			expect(account?.accountId).toMatch(to === PLATFORM ? /^s-1$/ : /^s-1@[0-9a-f]{32}$/);
			const again = await signInSocially(world, idp(), to === PLATFORM ? undefined : to, ada);
			expect((await world.call("/get-session", { browser: again.browser })).json.user.id).toBe(id);
		}
		const toB = await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [id] });
		expect(toB.collisions).toMatchObject([{ userId: id, code: "ACCOUNT_TAKEN", table: "account" }]);
	});

	// threat 83: a subject of one server must never name the user of another
	it("stay where they are if the target uses another server", async () => {
		const { world, a, b, addUser, accounts } = await createAccounts();
		const gitlab = (accountId: string) => ({ providerId: "gitlab", accountId });
		const users = [
			// the platform's GitLab is another server than gitlab.com
			[a, PLATFORM, await addUser(a, "well-known", gitlab("7"))],
			[a, b, await addUser(a, "well-known-too", gitlab("8"))],
			// a server of the tenant
			[a, PLATFORM, await addUser(a, "own", gitlab(`9@${"0".repeat(32)}`))],
			[a, b, await addUser(a, "own-too", gitlab(`10@${"0".repeat(32)}`))],
			[a, PLATFORM, await addUser(a, "sso", { providerId: "okta", accountId: `11@${"1".repeat(32)}` })],
			// the subject looks like one that names a server
			[PLATFORM, a, await addUser(PLATFORM, "mark", gitlab(`12@${"2".repeat(32)}`))],
			[PLATFORM, a, await addUser(PLATFORM, "gone", { providerId: "github", accountId: "13" })],
		] as const;
		const before = await accounts();
		for (const [from, to, userId] of users)
			expect(await moveUsersToTenant(world.auth, { from, to, userIds: [userId] })).toMatchObject({
				moved: 0,
				collisions: [{ userId, code: "ACCOUNT_NOT_ACCEPTED", table: "account" }],
			});
		expect(await accounts()).toEqual(before);
	});

	// threat 83
	it("do not move to a tenant with another server, or with its own, even if both tenants name it", async () => {
		const { world, a, b, addUser } = await createAccounts();
		const wellKnown = await world.newTenant();
		const plain = await world.newTenant();
		const register = async (tenantId: string, options?: object) => {
			const body = { tenantId, providerId: "gitlab", clientId: "own", clientSecret: "own-secret", options };
			expect((await world.call("/tenant/oauth-config/register", { operator: true, body })).status).toBe(200);
		};
		const own = { issuer: "https://gitlab.acme.example" };
		for (const tenantId of [a, b]) await register(tenantId, own);
		await register(wellKnown);
		const onPlatform = await addUser(PLATFORM, "ada", { providerId: "gitlab", accountId: "7" });
		const accountId = await accountIdOf("7", authorityOf("gitlab", own));
		const ofOwnServer = await addUser(a, "grace", { providerId: "gitlab", accountId });
		for (const [from, to, userId] of [
			[PLATFORM, a, onPlatform],
			[PLATFORM, wellKnown, onPlatform],
			[a, b, ofOwnServer],
		] as const) {
			const { moved, collisions } = await moveUsersToTenant(world.auth, { from, to, userIds: [userId] });
			expect([moved, collisions]).toMatchObject([0, [{ userId, code: "ACCOUNT_NOT_ACCEPTED" }]]);
		}
		const call = { from: PLATFORM, to: plain, userIds: [onPlatform] };
		expect(await moveUsersToTenant(world.auth, call)).toMatchObject({ moved: 1 });
	});

	it("keep their tokens only if the credentials stay the same, encrypted for the target", async () => {
		const { world, a, b, addUser, accounts } = await createAccounts({
			engine: { account: { encryptOAuthTokens: true } },
		});
		await registerClient(world, idp(), b, "client-b");
		const userId = await addUser(PLATFORM, "ada", { providerId: "gitlab", accountId: "7" });
		const sealed = await symmetricEncrypt({ key: SECRET, data: "provider-token" });
		await world.database.query(`update "account" set "refreshToken" = '${sealed}', "idToken" = 'plain'`);
		await moveUsersToTenant(world.auth, { from: PLATFORM, to: a, userIds: [userId] });
		const [moved] = await accounts();
		const key = await deriveTenantSecret(SECRET, a);
		expect(await symmetricDecrypt({ key, data: String(moved?.refreshToken) })).toBe("provider-token");
		expect(moved?.idToken).toBe("plain");
		await expect(symmetricDecrypt({ key: SECRET, data: String(moved?.refreshToken) })).rejects.toThrow();
		expect(await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [userId] })).toMatchObject({ moved: 1 });
		expect((await accounts()).map(({ refreshToken, idToken }) => [refreshToken, idToken])).toEqual([[null, null]]);
	});
});

it("a second factor that the source's secret does not decrypt prevents the move", async () => {
	const management = { keys: [MANAGEMENT_KEY] };
	const plugins = withTenants({ management, deletion: { drainTime: 0 } }, [twoFactor()]);
	const { world, a, b, addUser } = await createAccounts({ allPlugins: plugins });
	const userId = await addUser(a, "ada", { providerId: "credential", accountId: "ada" });
	const { adapter } = await world.auth.$context;
	const secret = await symmetricEncrypt({ key: SECRET, data: "of the platform" });
	await runWithTenant(a, () => adapter.create({ model: "twoFactor", data: { userId, secret, backupCodes: "[]" } }));
	const { moved, collisions } = await moveUsersToTenant(world.auth, { from: a, to: b, userIds: [userId] });
	expect([moved, collisions]).toMatchObject([0, [{ userId, code: "SECRET_UNREADABLE", table: "twoFactor" }]]);
});
