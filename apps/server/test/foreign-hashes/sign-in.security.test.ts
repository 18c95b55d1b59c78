// cspell:ignore abcdefghijklmnopqrstuu
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MANAGEMENT_KEY } from "../support/environment.ts";
import { createWorld, type World } from "../support/world.ts";
import { VECTORS, vectorOf } from "./vectors.ts";

const OWN = /^[0-9a-f]{32}:[0-9a-f]{128}$/;
const KEY = { authorization: `Bearer ${MANAGEMENT_KEY}` };

let world: World;
let service: Awaited<ReturnType<World["start"]>>;
let database: pg.Pool;
beforeAll(async () => {
	world = await createWorld({ environment: { MANAGEMENT_TRANSFER: "true", PLUGINS: "username" } });
	service = await world.start();
	database = new pg.Pool({ connectionString: world.database.url, max: 2 });
}, 60_000);
afterAll(async () => {
	await database.end();
	await world.close();
}, 60_000);

const importUser = async (tenantId: string, email: string, password: string) => {
	const users = [{ email, name: "Ada", accounts: [{ providerId: "credential", password }] }];
	return (await service.post("/tenant/import-users", { tenantId, users }, KEY)).json();
};
const storedHash = async (tenantId: string, email: string): Promise<string> => {
	const { rows } = await database.query(
		'select a."password" from "account" a join "user" u on u."id" = a."userId" where u."tenantId" = $1 and u."email" = $2',
		[tenantId, email],
	);
	return rows[0]?.password;
};
const exportedHashes = async (tenantId: string): Promise<string[]> => {
	const answer = await service.call(`/api/auth/tenant/export-users?tenantId=${tenantId}`, { headers: KEY });
	const users = (await answer.json()) as { accounts: { password: string }[] }[];
	return users.flatMap(({ accounts }) => accounts.map(({ password }) => password));
};
const signIn = async (tenantId: string, email: string, password: string) =>
	(await service.signIn(tenantId, email, password)).status;

it("signs in with each kind of imported hash, and replaces it by Better Auth's own", async () => {
	const [acme, globex] = [await service.createTenant(), await service.createTenant()];
	const kinds = ["$2a$06$If6", "$2b$", "$2y$", "$argon2i$", "$argon2id$v=19$m=256", "$firescrypt$"].map(vectorOf);
	for (const [index, { password, hash }] of kinds.entries()) {
		const email = `ada${index}@example.com`;
		expect(await importUser(acme, email, hash)).toMatchObject({ imported: 1, refused: [] });
		// the same user and hash in another tenant
		await importUser(globex, email, hash);
		expect(await signIn(acme, email, "a wrong password")).toBe(401);
		expect(await storedHash(acme, email)).toBe(hash);
		expect(await signIn(acme, email, password)).toBe(200);
		expect(await storedHash(acme, email)).toMatch(OWN);
		expect(await storedHash(globex, email)).toBe(hash);
		expect(await signIn(acme, email, password)).toBe(200);
		expect(await signIn(acme, email, "a wrong password")).toBe(401);
	}
	expect(await exportedHashes(acme)).toEqual(kinds.map(() => expect.stringMatching(OWN)));
	expect((await exportedHashes(globex)).sort()).toEqual(kinds.map(({ hash }) => hash).sort());
}, 60_000);

// threat 100
it("keeps a bcrypt hash that does not cover the whole password, so a typing error cannot become part of it", async () => {
	const acme = await service.createTenant();
	const { password, hash } = vectorOf("$2a$05$abcdefghijklmnopqrstuu");
	await importUser(acme, "ada@example.com", hash);
	expect(await signIn(acme, "ada@example.com", `${password} and mistyped`)).toBe(200);
	expect(await storedHash(acme, "ada@example.com")).toBe(hash);
	expect(await signIn(acme, "ada@example.com", password)).toBe(200);
});

// threat 100
it("refuses to import hashes that are malformed or too expensive", async () => {
	const acme = await service.createTenant();
	for (const hash of [
		vectorOf("$2a$06$If6").hash.replace("$06$", "$15$"),
		vectorOf("$argon2id$v=19$m=256").hash.replace("m=256", "m=1048576"),
		vectorOf("$firescrypt$").hash.replace("ln=14", "ln=20"),
		"$2a$06$short",
		"plain text",
	])
		expect(await importUser(acme, "ada@example.com", hash)).toMatchObject({
			imported: 0,
			refused: [{ code: "PASSWORD_HASH_NOT_ACCEPTED" }],
		});
});

// threat 100
it("lets nobody sign in with a malformed hash that is in the database", async () => {
	const acme = await service.createTenant();
	const { password, hash } = vectorOf("$2a$06$If6");
	await importUser(acme, "ada@example.com", hash);
	for (const broken of ["$2a$06$", "$", hash.slice(0, -1), hash.replace("$2a$06$", "$2a$31$")]) {
		await database.query('update "account" set "password" = $1 where "tenantId" = $2', [broken, acme]);
		for (const tried of [password, "a wrong password"]) expect(await signIn(acme, "ada@example.com", tried)).toBe(401);
		expect(await storedHash(acme, "ada@example.com")).toBe(broken);
	}
});

it("changes an imported password with the old one, and signs in with the new one only", async () => {
	const acme = await service.createTenant();
	const { password, hash } = vectorOf("$argon2id$v=19$m=256");
	await importUser(acme, "ada@example.com", hash);
	const cookie = (await service.signIn(acme, "ada@example.com", password)).headers
		.getSetCookie()
		.map((one) => one.split(";")[0])
		.join("; ");
	// as if the first sign-in had not replaced it
	await database.query('update "account" set "password" = $1 where "tenantId" = $2', [hash, acme]);
	const change = (currentPassword: string) =>
		service.post("/change-password", { currentPassword, newPassword: "a new password" }, { cookie });
	expect((await change("a wrong password")).status).toBe(400);
	expect((await change(password)).status).toBe(200);
	expect(await storedHash(acme, "ada@example.com")).toMatch(OWN);
	expect(await signIn(acme, "ada@example.com", password)).toBe(401);
	expect(await signIn(acme, "ada@example.com", "a new password")).toBe(200);
});

it("has vectors of each kind", () => {
	expect(new Set(VECTORS.map(([, , hash]) => hash.split("$")[1]))).toEqual(
		new Set(["2a", "2b", "2y", "argon2i", "argon2id", "firescrypt"]),
	);
});
