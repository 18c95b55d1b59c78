import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServed, type Served } from "../command-line/support/served.ts";
import { createTransferFiles } from "../command-line/support/transfer-files.ts";
import { vectorOf } from "./vectors.ts";

const PAGE = readFileSync(new URL("../../../../docs/moving-in.md", import.meta.url), "utf8");
const { path, parse } = createTransferFiles();

let served: Served;
beforeAll(async () => {
	served = await createServed();
}, 60_000);
afterAll(() => served.close(), 60_000);

/** Runs a script of docs/moving-in.md on an export, and imports what it prints. */
const importWith = async (name: string, exported: string, env: Record<string, string> = {}) => {
	const [, script = ""] = PAGE.match(new RegExp(`<!-- recipe:${name} -->\\n\\n\`\`\`js\\n([\\s\\S]*?)\`\`\``)) ?? [];
	writeFileSync(path(`${name}.mjs`), script);
	const converted = execFileSync(process.execPath, [path(`${name}.mjs`)], { input: exported, env, encoding: "utf8" });
	writeFileSync(path("users"), converted);
	const tenant = await served.service.createTenant(name);
	const ran = await served.run([
		"user",
		"import",
		"--tenant",
		tenant,
		path("users"),
		"--refused",
		path("no"),
		"--json",
	]);
	const signIn = async (email: string, password: string) =>
		(await served.service.signIn(tenant, email, password)).status;
	return { counts: ran.json(), refused: () => parse("no").map(({ code }) => code), users: parse("users"), signIn };
};

const { password, hash } = vectorOf("$2b$");

it("imports users of Auth0", async () => {
	const lines = [
		{ _id: { $oid: "60425dc43519d90068f82973" }, email: "Ada@example.com", email_verified: true, passwordHash: hash },
		{ _id: { $oid: "60425dc43519d90068f82974" }, email: "bob@example.com", email_verified: false, name: "Bob" },
	];
	const done = await importWith("auth0", `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
	expect(done.counts).toMatchObject({ imported: 2, refused: 0 });
	expect(done.users).toMatchObject([{ id: "auth0|60425dc43519d90068f82973", emailVerified: true }, { name: "Bob" }]);
	expect([await done.signIn("ada@example.com", password), await done.signIn("bob@example.com", password)]).toEqual([
		200, 401,
	]);
});

it("imports users of Clerk, and refuses those with a second factor", async () => {
	const head =
		"id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher";
	const done = await importWith(
		"clerk",
		[
			head,
			`user_1,"Ada ""Countess""","Lovelace, King",,ada@example.com,,"ada@example.com,a@example.com",,,,,${hash},bcrypt`,
			`user_2,,,,bob@example.com,,,bob@example.com,,,a-secret,${hash},bcrypt`,
			"user_3,,,eve,,,,,,,,,",
			"",
		].join("\r\n"),
	);
	expect(done.users).toMatchObject([
		{ id: "user_1", name: 'Ada "Countess" Lovelace, King', emailVerified: true },
		{ id: "user_2", name: "bob@example.com", emailVerified: false, twoFactorEnabled: true },
	]);
	expect(done.counts).toMatchObject({ imported: 1, refused: 1 });
	expect(done.refused()).toEqual(["SECOND_FACTOR_NOT_MOVED"]);
	expect(await done.signIn("ada@example.com", password)).toBe(200);
});

it("imports users of Firebase, and refuses disabled ones", async () => {
	const vector = vectorOf("$firescrypt$");
	const [, , , salt, passwordHash, SALT_SEPARATOR = "", SIGNER_KEY = ""] = vector.hash.split("$");
	const credentials = { emailVerified: true, salt, passwordHash };
	const users = [
		{
			...{ localId: "one", email: "ada@example.com", displayName: "Ada", createdAt: "1700000000000", ...credentials },
			providerUserInfo: [
				{ providerId: "google.com", rawId: "1234" },
				{ providerId: "password", rawId: "ada@example.com" },
			],
		},
		{ localId: "two", email: "bob@example.com", disabled: true, ...credentials },
		{ localId: "three", providerUserInfo: [] },
	];
	const done = await importWith("firebase", JSON.stringify({ users }), { SIGNER_KEY, SALT_SEPARATOR });
	expect(done.counts).toMatchObject({ imported: 1, refused: 1 });
	expect(done.refused()).toEqual(["BAN_NOT_MOVED"]);
	expect(done.users[0]).toMatchObject({
		createdAt: "2023-11-14T22:13:20.000Z",
		accounts: [{ providerId: "credential" }, { providerId: "google", accountId: "1234" }],
	});
	expect(await done.signIn("ada@example.com", vector.password)).toBe(200);
	expect(await done.signIn("ada@example.com", "a wrong password")).toBe(401);
});
