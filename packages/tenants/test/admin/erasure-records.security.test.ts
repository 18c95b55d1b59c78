import { signJWT } from "better-auth/crypto";
import { decodeJwt, SignJWT } from "jose";
import { expect, it } from "vitest";
import { verifyErasure } from "../../src/admin.ts";
import { PLATFORM } from "../../src/scope/platform.ts";
import { servicesOfAuth } from "../../src/services.ts";
import { sha256Text } from "../../src/sha256.ts";
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
	const platform = (await servicesOfAuth(auth)).secrets(PLATFORM);
	const tenants = [a, b].map(async (id) => (await servicesOfAuth(auth)).secrets(id));
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
