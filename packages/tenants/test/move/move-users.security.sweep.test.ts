import { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { PLATFORM, runWithTenant } from "../../src/index.ts";
import { createMovable, type Movable } from "./support/movable.ts";

const configurations: [string, { database: DatabaseKind; redis?: boolean }][] = [
	["sqlite", { database: "sqlite" }],
	["postgres", { database: "postgres" }],
	["mysql", { database: "mysql" }],
	["postgres with Redis", { database: "postgres", redis: true }],
];

/** Opens every kind of verification for a user. */
const openVerifications = async (world: Movable, tenant: string, email: string) => {
	const at = { tenant: world.hint(tenant) };
	await world.ok("/request-password-reset", { ...at, body: { email, redirectTo: "/reset" } });
	await world.ok("/email-otp/send-verification-otp", { ...at, body: { email, type: "sign-in" } });
	await world.ok("/sign-in/magic-link", { ...at, body: { email } });
	const otp = world.sent.get(`sign-in:${email}`) ?? "";
	return { reset: world.lastMail("reset").token, otp, magic: world.sent.get(`magic:${email}`) ?? "" };
};

const reset = (world: Movable, token: string) =>
	world.call("/reset-password", { body: { token, newPassword: "a stolen password" } });

describe.each(configurations)("moving users on %s", (_name, options) => {
	// threat 86
	it("changes no row of a neighbor in the source, the target or another tenant", async () => {
		const world = await createMovable(options);
		const { a, b, move, everythingBut } = world;
		const ada = await world.furnish(a, "ada");
		const neighbors = [];
		for (const [tenant, name] of [
			[a, "armada"],
			[b, "grace"],
			[PLATFORM, "ada"],
		] as const) {
			const neighbor = await world.furnish(tenant, name);
			neighbors.push({ ...neighbor, tenant, open: await openVerifications(world, tenant, neighbor.email) });
		}
		await openVerifications(world, a, ada.email);
		// the platform's user has the same email as the user that moves
		const texts = [`"${ada.email}`, `-otp-${ada.email}`];
		const isNeighbors = (row: string) => row.includes(PLATFORM) || !texts.some((text) => row.includes(text));
		const before = (await everythingBut(ada.id)).filter(isNeighbors);
		const keys = (await world.redisKeys()).filter((key) => !key.includes(a));
		expect((await move({ from: a, to: b, userIds: [ada.id] })).moved).toBe(1);

		expect((await everythingBut(ada.id)).filter(isNeighbors)).toEqual(before);
		expect((await world.redisKeys()).filter((key) => !key.includes(a))).toEqual(expect.arrayContaining(keys));
		for (const { browser, id } of neighbors) expect((await world.whoami(browser)).user.id).toBe(id);
		for (const { tenant, email, open } of neighbors) {
			const body = { email, otp: open.otp };
			const tried = await world.call("/sign-in/email-otp", { tenant: world.hint(tenant), body });
			expect([email, tried.status]).toEqual([email, 200]);
			expect((await reset(world, open.reset)).status).toBe(200);
		}
	});

	// threat 82
	it("ends sessions, reset tokens, one-time passwords and magic links in both tenants, and after a return", async () => {
		const world = await createMovable(options);
		const { a, b, call, move, whoami } = world;
		const [ada, inB] = [await world.signUp(a, "ada"), await world.signUp(b, "grace")];
		const second = new Browser();
		await world.signIn(a, ada.email, second);
		const open = await openVerifications(world, a, ada.email);
		await move({ from: a, to: b, userIds: [ada.id] });

		const expectDead = async () => {
			for (const browser of [ada.browser, second]) {
				for (const tenant of [undefined, a])
					expect((await call("/get-session", { tenant, browser: browser.copy() })).json).toBeNull();
				expect((await call("/list-sessions", { browser: browser.copy() })).status).toBe(401);
			}
			expect((await reset(world, open.reset)).status).toBe(400);
			for (const tenant of [a, b]) {
				const byOtp = await call("/sign-in/email-otp", { tenant, body: { email: ada.email, otp: open.otp } });
				expect(byOtp.status).toBe(400);
				const byLink = await call("/magic-link/verify", { tenant, query: { token: open.magic } });
				expect(byLink.headers.get("set-cookie") ?? "").not.toContain("session_token");
			}
		};
		await expectDead();
		expect((await whoami(inB.browser)).user.id).toBe(inB.id);
		await move({ from: b, to: a, userIds: [ada.id] });
		await expectDead();
		expect((await world.signIn(a, ada.email)).status).toBe(200);
	});

	// threat 84
	it("writes nothing for any user if one of them collides", async () => {
		const world = await createMovable(options);
		const { a, b, add, move, ok, everything } = world;
		const names = ["free", "email", "name", "banned", "admin", "member"];
		const users = Object.fromEntries(
			await Promise.all(names.map(async (name) => [name, await world.signUp(a, name)] as const)),
		);
		const id = (name: string) => users[name]?.id ?? "";
		const set = (name: string, sql: string) =>
			world.database.query(`update "user" set ${sql} where "id" = '${id(name)}'`);
		await world.signUp(b, "email");
		const rival = await world.signUp(b, "rival");
		for (const browser of [rival.browser, users.name?.browser])
			await ok("/update-user", { browser, body: { username: "taken" } });
		await set("banned", `"banned" = ${options.database === "postgres" ? "true" : "1"}`);
		await set("admin", `"role" = 'admin'`);
		const now = new Date();
		const group = await add(a, "organization", { name: "Team", slug: "team", createdAt: now });
		await add(a, "member", { organizationId: group.id, userId: id("member"), role: "member", createdAt: now });
		const before = await everything();
		const userIds = [...names.map(id), rival.id, "nobody"];
		const found = await move({ from: a, to: PLATFORM, userIds });
		const codes = (collisions: typeof found.collisions) =>
			collisions.map(({ userId, code, field }) => [names.find((name) => id(name) === userId) ?? userId, code, field]);
		const always = [
			["banned", "USER_BANNED", undefined],
			["admin", "USER_HAS_ROLE", "role"],
			["member", "ROW_STAYS_BEHIND", "organizationId"],
			["nobody", "USER_NOT_FOUND", undefined],
		];
		// a user of another tenant is reported like one that does not exist
		expect(codes(found.collisions)).toHaveLength(always.length + 1);
		expect(codes(found.collisions)).toEqual(
			expect.arrayContaining([...always, [rival.id, "USER_NOT_FOUND", undefined]]),
		);
		const toB = await move({ from: a, to: b, userIds: names.map(id), batchSize: 1 });
		expect([toB.moved, toB.after]).toEqual([0, null]);
		expect(codes(toB.collisions)).toHaveLength(5);
		expect(codes(toB.collisions)).toEqual(
			expect.arrayContaining([
				...always.slice(0, 3),
				["email", "EMAIL_TAKEN", "email"],
				["name", "VALUE_TAKEN", "username"],
			]),
		);
		expect(await everything()).toEqual(before);
	});

	// threat 85
	it("continues after an interruption, and ends what was left behind", async () => {
		const world = await createMovable(options);
		const { a, b, move } = world;
		const users = [];
		for (let at = 0; at < 5; at += 1) users.push(await world.signUp(a, `user-${at}`));
		const neighbor = await world.signUp(b, "neighbor");
		const userIds = users.map(({ id }) => id);
		let after: string | null = null;
		const interrupted = move({
			from: a,
			to: b,
			where: [],
			batchSize: 2,
			onProgress: (progress) => {
				after = progress.after;
				throw new Error("the process stops");
			},
		});
		await expect(interrupted).rejects.toThrow("the process stops");
		const inA = async () =>
			(await world.database.query(`select "id" from "user" where "tenantId" = '${a}'`)).map(({ id }) => String(id));
		const left = await inA();
		expect(left).toHaveLength(3);
		// a request that began before the move wrote a session after it
		const late = userIds.find((id) => !left.includes(id)) ?? "";
		const { internalAdapter } = await world.auth.$context;
		if (!options.redis)
			await world.database.query(
				`insert into "session" ("id", "token", "userId", "tenantId", "expiresAt", "createdAt", "updatedAt") select 'late', 'late', "id", '${a}', "createdAt", "createdAt", "updatedAt" from "user" where "id" = '${late}'`,
			);
		const rest = await move({ from: a, to: b, where: [], after, batchSize: 2 });
		expect([rest.users, rest.moved, rest.collisions]).toEqual([3, 3, []]);
		expect(await inA()).toEqual([]);
		if (!options.redis)
			expect(await world.database.query(`select * from "session" where "tenantId" = '${a}'`)).toEqual([]);
		expect((await world.whoami(neighbor.browser)).user.id).toBe(neighbor.id);
		for (const { email } of users) expect((await world.signIn(b, email)).status).toBe(200);
		expect(await runWithTenant(a, () => internalAdapter.listUsers(10))).toEqual([]);
		// the same ids again: nothing to do
		expect(await move({ from: a, to: b, userIds })).toMatchObject({ users: 0, moved: 0, collisions: [] });
	});
});

describe.each(["sqlite", "postgres", "mysql"] as const)("a request while its user moves on %s", (database) => {
	// threat 85
	it("leaves no session and no row in the old tenant", async () => {
		const world = await createMovable({ database });
		const { a, b, move, tenantsOfUser } = world;
		const users = [];
		for (let at = 0; at < 6; at += 1) users.push(await world.signUp(a, `user-${at}`));
		await world.signUp(b, "neighbor");
		const moved = move({ from: a, to: b, userIds: users.map(({ id }) => id), batchSize: 1 });
		const browsers = await Promise.all(
			users.flatMap(({ email }) =>
				[0, 1, 2].map(async () => {
					const browser = new Browser();
					await world.signIn(a, email, browser);
					return browser;
				}),
			),
		);
		const keys = users.map(({ browser }) => world.call("/api-key/create", { browser, body: { name: "late" } }));
		expect((await moved).moved).toBe(6);
		await Promise.all(keys);
		// in a service the drain time is longer than a request; here it is 0, so it is swept again
		await move({ from: a, to: b, userIds: users.map(({ id }) => id) });
		for (const { id } of users) {
			const tenants = await tenantsOfUser(id);
			expect([id, ...new Set(Object.values(tenants).flat())]).toEqual([id, b]);
		}
		for (const browser of browsers) expect((await world.call("/get-session", { browser })).json).toBeNull();
		expect((await world.signIn(b, "user-0@example.com", new Browser(), PASSWORD)).status).toBe(200);
	});
});
