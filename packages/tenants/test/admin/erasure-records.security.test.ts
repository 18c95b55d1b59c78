import { betterAuth } from "better-auth";
import { signJWT } from "better-auth/crypto";
import { admin } from "better-auth/plugins/admin";
import { decodeJwt, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles, verifyErasure } from "../../src/admin.ts";
import { contextOf } from "../../src/engine/service.ts";
import { signErasure } from "../../src/features/admin/erasure-record.ts";
import { withTenants } from "../../src/index.ts";
import { sha256Text } from "../../src/lib/sha256.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { tenantSecretsOf } from "../../src/scope/secrets/secrets.ts";
import { createAdministered } from "./support/administered.ts";

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

// threat 127
it("accepts the record of an erasure as it was signed, and no other token", async () => {
	const { world, a, b, inA, inB, operate } = await createAdministered({ database: "postgres", redis: true });
	const { auth } = world;
	const recordOf = async (tenantId: string, user: { id: string }): Promise<string> => {
		const { json } = await operate("erase", user, {}, tenantId);
		return (json as unknown as { record: string }).record;
	};
	const [mine, foreign] = [await recordOf(a, inA.member), await recordOf(b, inB.member)];
	// a record says whose it is: one of the other tenant proves nothing here
	expect(await verifyErasure(auth, mine)).toMatchObject({ tenantId: a, userId: inA.member.id });
	expect(await verifyErasure(auth, foreign)).toMatchObject({ tenantId: b, userId: inB.member.id });
	expect(await verifyErasure(auth, mine, { tenantId: a, userId: inA.member.id })).toMatchObject({ tenantId: a });
	expect(await verifyErasure(auth, foreign, { tenantId: a })).toBeNull();
	expect(await verifyErasure(auth, mine, { tenantId: a, userId: inA.other.id })).toBeNull();

	const [header = "", payload = "", signature = ""] = mine.split(".");
	const claims = decodeJwt<{ erasure: object }>(mine);
	const altered = { ...claims, erasure: { ...claims.erasure, tenantId: b } };
	const none = encode({ alg: "none" });
	const platform = tenantSecretsOf(await contextOf(auth))(PLATFORM);
	const tenants = [a, b].map(async (id) => tenantSecretsOf(await contextOf(auth))(id));
	const secrets = (await Promise.all([platform, ...tenants])).map(({ secret }) => secret);
	const key = await sha256Text(`better-auth-tenants.erasure\0${secrets[0]}`);
	const forged = [
		`${header}.${encode(altered)}.${signature}`,
		`${none}.${payload}.`,
		`${none}.${encode(altered)}.`,
		`${none}.${payload}.${signature}`,
		`${header}.${foreign.split(".")[1]}.${signature}`,
		`${header}.${payload}.`,
		"",
		"..",
		// what the engine signs with the secrets themselves, for mails and cookies
		...(await Promise.all(secrets.map((secret) => signJWT({ erasure: claims.erasure }, secret, 60)))),
		// another purpose, by the same key
		await signJWT({ email: "ada@example.com", updateTo: "eve@example.com" }, key, 60),
		await signJWT({ erasure: { ...claims.erasure, tenantId: undefined } }, key, 60),
		await signJWT({ erasure: "yes" }, key, 60),
		await new SignJWT({ erasure: claims.erasure })
			.setProtectedHeader({ alg: "HS256" })
			.setExpirationTime(1)
			.sign(new TextEncoder().encode(key)),
	];
	for (const record of forged) expect([record, await verifyErasure(auth, record)]).toEqual([record, null]);
	// links in mails are no records
	await world.call("/send-verification-email", { tenant: a, body: { email: inA.other.email } });
	expect(await verifyErasure(auth, world.lastMail("verify").token)).toBeNull();
});

describe("after a rotation", () => {
	const [UNVERSIONED, OLD, NEW, UNKNOWN] = [
		"q3Vt8mKx1Lz6Rb0Yc5Wn2Pd7Gh4Js9Fa",
		"Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		"b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa",
		"u8Hc3Jw6Ty1Np4Zs9Xe2Mk7Qv5Rg0Bf",
	];
	/** The secrets that sign a record which a server with this option accepts, for each of two tenants. */
	const acceptedWith = async (verifyWithAllSecrets: boolean): Promise<string[]> => {
		const { world, a, b, inA, inB } = await createAdministered();
		const auth = betterAuth({
			...world.options,
			secret: UNVERSIONED,
			secrets: [
				{ version: 2, value: NEW },
				{ version: 1, value: OLD },
			],
			plugins: withTenants({ verifyWithAllSecrets }, [admin({ ...tenantRoles }), tenantAdmin()]),
		});
		const accepted: string[] = [];
		for (const secret of [UNVERSIONED, OLD, NEW, UNKNOWN]) {
			const verified = [a, b].map(async (tenantId) => {
				const userId = tenantId === a ? inA.member.id : inB.member.id;
				const erasure = { tenantId, userId, at: new Date().toISOString(), by: "server", rows: {}, sessions: 0 };
				const record = await signErasure({ ...erasure, verifications: 0, kept: [] }, secret);
				expect(await verifyErasure(auth, record, { tenantId: tenantId === a ? b : a })).toBeNull();
				return (await verifyErasure(auth, record, { tenantId })) !== null;
			});
			const both = await Promise.all(verified);
			expect(both[0]).toBe(both[1]);
			if (both[0]) accepted.push(secret);
		}
		return accepted;
	};

	// threat 127
	it("accepts records that any configured secret signed, with and without a version", async () => {
		expect(await acceptedWith(true)).toEqual([UNVERSIONED, OLD, NEW]);
	});

	// threat 127
	it("rejects records that an older secret signed, if only the first secret verifies", async () => {
		expect(await acceptedWith(false)).toEqual([NEW]);
	});
});
