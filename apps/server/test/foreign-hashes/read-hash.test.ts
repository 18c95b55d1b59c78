// cspell:ignore abcdefghijklmnopqrstuu hvcn lnbm Gtle Ghlcg
import { describe, expect, it } from "vitest";
import { verifyAnyPassword } from "../../src/foreign-hashes/password.ts";
import { acceptsPasswordHash, readForeignHash } from "../../src/foreign-hashes/read-hash.ts";
import { VECTORS, vectorOf } from "./vectors.ts";

it.each(VECTORS)("verifies a hash of %s for %o: %s", async (_source, password, hash) => {
	expect(acceptsPasswordHash(hash)).toBe(true);
	expect(await verifyAnyPassword({ hash, password })).toBe(true);
	expect(await verifyAnyPassword({ hash, password: `x${password}` })).toBe(false);
});

describe("bcrypt", () => {
	it("compares 72 bytes of a password, up to its first NUL", async () => {
		const { password, hash } = vectorOf("$2a$05$abcdefghijklmnopqrstuu");
		const read = readForeignHash(hash);
		expect(await read?.verify(password.slice(0, 72))).toBe(true);
		expect(await read?.verify(password.slice(0, 71))).toBe(false);
		expect([read?.isCut(password), read?.isCut(password.slice(0, 72))]).toEqual([true, false]);
		const short = vectorOf("$2a$06$If6");
		expect(await readForeignHash(short.hash)?.verify(`${short.password}\0more`)).toBe(true);
		expect(readForeignHash(short.hash)?.isCut(`${short.password}\0more`)).toBe(true);
		// bytes, not characters
		expect(read?.isCut("ü".repeat(36))).toBe(false);
		expect(read?.isCut("ü".repeat(37))).toBe(true);
	});
});

const BCRYPT = vectorOf("$2a$06$If6").hash;
const ARGON2 = vectorOf("$argon2id$v=19$m=256").hash;
const FIREBASE = vectorOf("$firescrypt").hash;

it.each([
	["", "nothing"],
	["$", "no algorithm"],
	["$2a$06$", "no salt"],
	[BCRYPT.slice(0, -1), "a short hash"],
	[`${BCRYPT}a`, "a long hash"],
	[`${BCRYPT}\n`, "a line break"],
	[` ${BCRYPT}`, "a blank"],
	[BCRYPT.replace("$2a$", "$2x$"), "the faulty variant 2x"],
	[BCRYPT.replace("$2a$", "$2$"), "the first version"],
	[BCRYPT.replace("$06$", "$15$"), "a cost of 15"],
	[BCRYPT.replace("$06$", "$31$"), "a cost of 31"],
	[BCRYPT.replace("$06$", "$03$"), "a cost of 3"],
	[BCRYPT.replace("$06$", "$+6$"), "a cost with a sign"],
	[BCRYPT.slice(0, -1).concat("j"), "bits behind the end"],
	[ARGON2.replace("argon2id", "argon2d"), "Argon2d"],
	[ARGON2.replace("v=19", "v=16"), "an old version"],
	[ARGON2.replace("$v=19", ""), "no version"],
	[ARGON2.replace("m=256", "m=262145"), "more than 256 MiB"],
	[ARGON2.replace("m=256,t=2", "m=262144,t=5"), "too many passes for its memory"],
	[ARGON2.replace("t=2", "t=0"), "no pass"],
	[ARGON2.replace("p=2", "p=17"), "many lanes"],
	[ARGON2.replace("m=256", "m=8"), "less memory than its lanes need"],
	[ARGON2.replace("m=256", "m=9999999999"), "a number that is too long"],
	[ARGON2.replace("c29tZXNhbHQ", "c2hvcnQ"), "a short salt"],
	[ARGON2.slice(0, -24), "a short hash"],
	[`${ARGON2}=`, "padding"],
	[FIREBASE.replace("ln=14", "ln=15"), "a memory cost of 15"],
	[FIREBASE.replace("r=8", "r=9"), "nine rounds"],
	[FIREBASE.replace("p=1", "p=2"), "two lanes"],
	[FIREBASE.split("$").slice(0, -1).join("$"), "no signer key"],
	[FIREBASE.replace(/\$[^$]+$/, "$c2lnbmVyIGtleSBvdGhlcg=="), "a signer key of another length"],
	["$scrypt$ln=14,r=8,p=1$c2FsdA$aGFzaA", "another algorithm"],
	["$1$salt$hash", "crypt's MD5"],
])("does not accept %o: %s", (hash) => {
	expect(acceptsPasswordHash(hash)).toBe(false);
	expect(readForeignHash(hash)).toBeNull();
});

it("verifies no password against a hash that it does not accept", async () => {
	for (const [hash, password] of [
		["$", ""],
		[BCRYPT.slice(0, -1), "abc"],
		[ARGON2.replace("$v=19", ""), "password"],
		[FIREBASE.replace("p=1", "p=2"), "user1password"],
	] as const)
		expect(await verifyAnyPassword({ hash, password })).toBe(false);
});

it("still accepts Better Auth's own hashes", () => {
	expect(acceptsPasswordHash(`${"a".repeat(32)}:${"0".repeat(128)}`)).toBe(true);
	expect(acceptsPasswordHash(`${"a".repeat(31)}:${"0".repeat(128)}`)).toBe(false);
});
