import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import { jwt, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { expect, it } from "vitest";
import { reencryptSecrets } from "../../src/index.ts";
import { createTenantSecrets } from "../../src/scope/secrets/secrets.ts";
import { createRotation, type Rotation } from "./support/secrets.ts";

type Person = { tenant: string | undefined; code: () => Promise<string>; backupCodes: string[] };

/** A user with a second factor and a signing key in each tenant and on the platform, from before the rotation. */
const furnish = async (rotation: Rotation): Promise<Person[]> => {
	const people: Person[] = [];
	const old = rotation.at("before");
	for (const tenant of [rotation.a, rotation.b, undefined]) {
		const browser = await old.signUp(tenant, "ada@example.com");
		expect((await old.call("/token", { browser })).status).toBe(200);
		const { json } = await old.call("/two-factor/enable", { browser, body: { password: PASSWORD } });
		const secret = new URL(json.totpURI).searchParams.get("secret") ?? "";
		const code = () => createOTP(new TextDecoder().decode(base32.decode(secret))).totp();
		await old.call("/two-factor/verify-totp", { browser, body: { code: await code() } });
		people.push({ tenant, code, backupCodes: json.backupCodes });
	}
	return people;
};

const plugins = () => [twoFactor(), jwt()];

// threats 58 and 97
it("re-encrypts second factors and signing keys with each tenant's own secret, after which the old one can be removed", async () => {
	const rotation = await createRotation({ plugins });
	const people = await furnish(rotation);
	const removed = rotation.at("removed");
	const signIn = async ({ tenant, code, backupCodes }: Person): Promise<number[]> => {
		const byCode = new Browser();
		await removed.signIn(tenant, "ada@example.com", byCode);
		const totp = await removed.call("/two-factor/verify-totp", { browser: byCode, body: { code: await code() } });
		const byBackup = new Browser();
		await removed.signIn(tenant, "ada@example.com", byBackup);
		const backup = await removed.call("/two-factor/verify-backup-code", {
			browser: byBackup,
			body: { code: backupCodes.pop() },
		});
		const token = await removed.call("/token", { browser: byCode });
		return [totp.status, backup.status, token.status];
	};
	for (const person of people) expect((await signIn(person))[0]).toBe(500);

	const { seen, reencrypted, unreadable } = await reencryptSecrets(rotation.at("first").auth, { batchSize: 2 });
	expect({ seen, reencrypted, unreadable }).toEqual({ seen: 6, reencrypted: 6, unreadable: [] });
	for (const person of people) expect(await signIn(person)).toEqual([200, 200, 200]);
	expect(await reencryptSecrets(rotation.at("first").auth)).toMatchObject({ reencrypted: 0, unreadable: [] });
});

// threat 58
it("continues after an interruption in any table, and names the rows that no secret decrypts", async () => {
	const rotation = await createRotation({ plugins });
	await furnish(rotation);
	const [lost] = await rotation.database.query('select "id", "tenantId" from "twoFactor" order by "id" limit 1');
	await rotation.database.query(`update "twoFactor" set "secret" = '$ba$1$00' where "id" = '${String(lost?.id)}'`);
	const { auth } = rotation.at("first");
	let cursor: string | null = null;
	const unreadable: unknown[] = [];
	let reencrypted = 0;
	for (let runs = 0; runs < 20; runs += 1) {
		let seen = 0;
		const run = reencryptSecrets(auth, {
			batchSize: 1,
			after: cursor,
			onProgress: (now) => {
				cursor = now.after;
				seen += 1;
				reencrypted += now.reencrypted;
				unreadable.push(...now.unreadable);
				throw new Error("interrupted");
			},
		});
		await expect(run).rejects.toThrow("interrupted");
		expect(seen).toBe(1);
		if (typeof cursor === "string" && cursor === `jwks:${await lastKey(rotation)}`) break;
	}
	expect(reencrypted).toBe(5);
	expect(unreadable).toEqual([{ tenantId: lost?.tenantId, table: "twoFactor", id: lost?.id }]);
});

const lastKey = async (rotation: Rotation): Promise<string> =>
	String((await rotation.database.query('select max("id") as "id" from "jwks"'))[0]?.id);

// threat 58
it("re-encrypts the tokens of OAuth accounts if they are encrypted, and leaves plain ones alone", async () => {
	const rotation = await createRotation({ engine: { account: { encryptOAuthTokens: true } } });
	const { a } = rotation;
	await rotation.at("before").signUp(a, "ada@example.com");

	const keyOf = async (step: "before" | "removed") => {
		const { secret, secretConfig } = await rotation.at(step).auth.$context;
		return (await createTenantSecrets({ secret, secretConfig })(a)).secretConfig;
	};
	const sealed = await symmetricEncrypt({ key: await keyOf("before"), data: "an-access-token" });
	await rotation.database.query(`update "account" set "accessToken" = '${sealed}', "refreshToken" = 'plain.token'`);
	expect(await reencryptSecrets(rotation.at("first").auth)).toMatchObject({ reencrypted: 1, unreadable: [] });
	const [row] = await rotation.database.query('select "accessToken", "refreshToken" from "account"');
	expect(row?.refreshToken).toBe("plain.token");
	expect(await symmetricDecrypt({ key: await keyOf("removed"), data: String(row?.accessToken) })).toBe(
		"an-access-token",
	);
});
