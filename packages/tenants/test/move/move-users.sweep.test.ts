import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { PLATFORM } from "../../src/index.ts";
import { createMovable } from "./support/movable.ts";

type Verify = (input: { body: { key: string } }) => Promise<{ valid: boolean }>;

const DATABASES = ["sqlite", "postgres", "mysql"] as const;

describe.each(DATABASES)("moving users on %s", (database) => {
	it("keeps ids, passwords, names, second factors, passkeys and API keys, there and back", async () => {
		const world = await createMovable({ database });
		const { a, b, ok, call, signIn, move, tenantsOfUser, whoami } = world;
		const ada = await world.furnish(PLATFORM, "ada");
		const verify = (world.auth.api as object as { verifyApiKey: Verify }).verifyApiKey;
		const path = [a, b, PLATFORM];
		let from = PLATFORM;
		for (const [at, to] of path.entries()) {
			expect(await move({ from, to, userIds: [ada.id] })).toEqual({
				users: 1,
				moved: 1,
				collisions: [],
				after: ada.id,
			});
			const everywhere = { user: [to], account: [to], twoFactor: [to], passkey: [to], apikey: [to] };
			expect(await tenantsOfUser(ada.id)).toEqual(everywhere);

			expect((await signIn(from, ada.email)).status).toBe(401);
			const browser = new Browser();
			expect((await signIn(to, ada.email, browser)).json.twoFactorRedirect).toBe(true);
			await ok("/two-factor/verify-totp", { browser, body: { code: await ada.code() } });
			expect((await whoami(browser)).user).toMatchObject({ id: ada.id, tenantId: to, username: "ada" });
			const second = new Browser();
			await signIn(to, ada.email, second);
			await ok("/two-factor/verify-backup-code", { browser: second, body: { code: ada.backupCodes[at] } });

			const byName = (tenant: string) =>
				call("/sign-in/username", {
					tenant: world.hint(tenant),
					body: { username: "ada", password: "correct horse battery" },
				});
			expect([(await byName(from)).status, (await byName(to)).status]).toEqual([401, 200]);
			expect((await verify({ body: { key: ada.key } })).valid).toBe(true);
			const byKey = await call("/get-session", { headers: { "x-api-key": ada.key } });
			expect(byKey.json.user).toMatchObject({ id: ada.id, tenantId: to });
			from = to;
		}
		// the name is free in the tenants again, and taken on the platform
		for (const tenant of [a, b]) {
			const other = await world.signUp(tenant, "ada");
			await ok("/update-user", { browser: other.browser, body: { username: "ada" } });
		}
		const names = await world.database.query('select "tenantUnique_username" as name from "user"');
		expect(names.map(({ name }) => name).sort()).toEqual([a, b, PLATFORM].map((tenant) => `${tenant}:ada`).sort());
	});

	it("moves all users that match, in batches, and reports progress", async () => {
		const world = await createMovable({ database });
		const { a, b, add, move } = world;
		const now = new Date();
		const rest = { emailVerified: true, createdAt: now, updatedAt: now };
		for (let at = 0; at < 12; at += 1)
			await add(PLATFORM, "user", { name: at % 2 ? "Odd" : "Even", email: `user-${at}@example.com`, ...rest });
		const inB = await add(b, "user", { name: "Odd", email: "user-1@example.com", ...rest });
		const progress: unknown[] = [];
		const where = [{ field: "name", value: "Odd" }];
		const result = await move({
			from: PLATFORM,
			to: a,
			where,
			batchSize: 4,
			onProgress: ({ moved, users }) => void progress.push([moved, users]),
		});
		expect([result.users, result.moved, result.collisions]).toEqual([6, 6, []]);
		expect(progress).toEqual([
			[4, 6],
			[6, 6],
		]);
		const users = await world.database.query('select "name", "tenantId" from "user"');
		expect(users.filter(({ tenantId }) => tenantId === a).map(({ name }) => name)).toEqual(Array(6).fill("Odd"));
		expect(users.filter(({ tenantId }) => tenantId === PLATFORM)).toHaveLength(6);
		expect(await world.tenantsOfUser(inB.id)).toEqual({ user: [b] });
		expect(await move({ from: PLATFORM, to: a, where })).toEqual({ users: 0, moved: 0, collisions: [], after: null });
	});

	it("writes nothing in a dry run, and reports the same", async () => {
		const world = await createMovable({ database });
		const { a, b, move, everything } = world;
		const free = await world.furnish(PLATFORM, "ada");
		const taken = await world.signUp(PLATFORM, "grace");
		for (const tenant of [a, b]) await world.signUp(tenant, "grace");
		const before = await everything();
		const rehearsed = await move({ from: PLATFORM, to: a, userIds: [free.id, taken.id], dryRun: true });
		expect(rehearsed).toMatchObject({ users: 2, moved: 0, after: null });
		expect(rehearsed.collisions.map(({ userId, code }) => [userId, code])).toEqual([[taken.id, "EMAIL_TAKEN"]]);
		expect(await move({ from: PLATFORM, to: a, userIds: [free.id, taken.id] })).toEqual(rehearsed);
		const alone = { from: PLATFORM, to: a, userIds: [free.id] };
		expect(await move({ ...alone, dryRun: true })).toEqual({ users: 1, moved: 0, collisions: [], after: null });
		expect(await everything()).toEqual(before);
		expect((await move(alone)).moved).toBe(1);
	});
});

describe("moveUsersToTenant", () => {
	it("rejects unknown and closed tenants, the same tenant and wrong options", async () => {
		const world = await createMovable();
		const { a, b, move } = world;
		const ada = await world.signUp(a, "ada");
		const userIds = [ada.id];
		await world.database.query(`update "tenant" set "status" = 'deleting' where "id" = '${b}'`);
		const before = await world.everything();
		for (const to of ["nobody", b])
			await expect(move({ from: a, to, userIds })).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
		for (const from of ["nobody", b])
			await expect(move({ from, to: a, userIds })).rejects.toMatchObject({ body: { code: "TENANT_NOT_FOUND" } });
		await expect(move({ from: a, to: a, userIds })).rejects.toThrow("two different tenant ids");
		await expect(move({ from: a, to: "not valid", userIds })).rejects.toThrow("two different tenant ids");
		await expect(move({ from: a, to: PLATFORM, userIds, batchSize: 0 })).rejects.toThrow("batchSize");
		await expect(move({ from: a, to: PLATFORM } as never)).rejects.toThrow("either userIds");
		await expect(move({ from: a, to: PLATFORM, userIds, discard: ["account"] })).rejects.toThrow('"account"');
		await expect(move({ from: a, to: PLATFORM, userIds, discard: ["nothing"] })).rejects.toThrow('"nothing"');
		expect(await world.everything()).toEqual(before);
	});

	it("deletes the rows of discarded tables, and keeps those of other users", async () => {
		const world = await createMovable();
		const { a, b, ok, move } = world;
		const [owner, member] = [await world.signUp(a, "owner"), await world.signUp(a, "member")];
		const inB = await world.signUp(b, "owner");
		for (const { browser } of [owner, inB])
			await ok("/organization/create", { browser, body: { name: "Team", slug: "team" } });
		const { json: team } = await ok("/organization/list", { browser: owner.browser });
		const organizationId = JSON.parse(JSON.stringify(team))[0].id;
		await world.add(a, "member", { organizationId, userId: member.id, role: "member", createdAt: new Date() });
		const call = { from: a, to: b, userIds: [member.id] };
		expect((await move(call)).collisions).toMatchObject([
			{ userId: member.id, code: "ROW_STAYS_BEHIND", table: "member", field: "organizationId" },
		]);
		expect(await move({ ...call, discard: ["member"] })).toMatchObject({ moved: 1, collisions: [] });
		expect(await world.tenantsOfUser(member.id)).toEqual({ user: [b], account: [b] });
		expect((await world.tenantsOfUser(owner.id)).member).toEqual([a]);
		expect((await world.tenantsOfUser(inB.id)).member).toEqual([b]);
	});
});
