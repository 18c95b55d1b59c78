import assert from "node:assert/strict";
import { symmetricDecrypt } from "better-auth/crypto";
import * as z from "zod";
import { type Checks, check, deviates, NotObservable, type World } from "../check.ts";
import type { Inspect } from "../inspect.ts";
import { registerConfig, type Tenant, twoTenants } from "../place.ts";

const storedConfig = async (inspect: Inspect, tenant: Tenant) => {
	const rows = await inspect.rowsOf("tenantOauthConfig", tenant.id);
	assert.equal(rows.length, 1, "the config is one tenantOauthConfig row");
	return rows[0] ?? assert.fail();
};

/** Two tenants with the same credentials, and their stored rows. */
const storedTwice = async (world: World) => {
	const inspect = world.inspect();
	const [tenant, neighbor] = await twoTenants(world.standard);
	const { clientId, clientSecret } = await registerConfig(world.standard, tenant);
	await registerConfig(world.standard, neighbor, { clientId, clientSecret });
	const rows = [await storedConfig(inspect, tenant), await storedConfig(inspect, neighbor)] as const;
	return { clientId, clientSecret, rows, everything: await inspect.everything() };
};

/** Decrypts a stored value with a secret alone, whether or not the value names it as version 1; null if that fails. */
const opened = async (data: unknown, secret: string) => {
	const key = { keys: new Map([[1, secret]]), currentVersion: 1, legacySecret: secret };
	return symmetricDecrypt({ key, data: String(data) }).catch(() => null);
};

const assertOpensWithSecretAlone = async (world: World, values: unknown[], plain: string) => {
	const { secret } = world.inspect();
	if (!secret) throw new NotObservable("the auth secret of the deployment is not known to this run");
	for (const value of values) {
		assert.ok((await opened(value, secret))?.includes(plain), "cannot be decrypted with the auth secret");
		assert.equal(await opened(value, `${secret}x`), null, "can be decrypted with another secret");
	}
};

export const atRestChecks = {
	"O-1": check("finds the row of a registered config in the table tenantOauthConfig", async (world) => {
		const { rows } = await storedTwice(world);
		for (const row of rows) assert.equal(row.providerId, "github");
	}),
	"O-4": check("searches all stored data for a plain client id", async (world) => {
		const { clientId, rows, everything } = await storedTwice(world);
		assert.ok(!everything.includes(clientId), "the client id is stored in plain text");
		assert.notEqual(rows[0].clientId, rows[1].clientId, "equal client ids are stored equally");
	}),
	"O-6": check("searches all stored data for a plain client secret", async (world) => {
		const { clientSecret, rows, everything } = await storedTwice(world);
		assert.ok(!everything.includes(clientSecret), "the client secret is stored in plain text");
		assert.notEqual(rows[0].clientSecret, rows[1].clientSecret, "equal client secrets are stored equally");
	}),
	"S-10": deviates(
		"decrypts the stored credentials with symmetricDecrypt and the auth secret only, and reads a JSON object",
		"What is encrypted is not the credential alone but a JSON object with its tenant, provider and column. A row that is copied to another tenant or column does not open.",
		async (world) => {
			const { clientId, clientSecret, rows } = await storedTwice(world);
			for (const [column, plain] of [
				["clientId", clientId],
				["clientSecret", clientSecret],
			] as const) {
				const values = rows.map((row) => row[column]);
				await assertOpensWithSecretAlone(world, values, plain);
				for (const value of values) {
					const text = (await opened(value, world.inspect().secret ?? "")) ?? "";
					assert.notEqual(text, plain);
					assert.ok(Object.values(z.record(z.string(), z.unknown()).parse(JSON.parse(text))).includes(plain));
				}
			}
		},
	),
	"A-7": check("registers a pair again and decrypts the stored values", async (world) => {
		const inspect = world.inspect();
		const [tenant] = await twoTenants(world.standard);
		await registerConfig(world.standard, tenant);
		const { clientId, clientSecret } = await registerConfig(world.standard, tenant);
		const row = await storedConfig(inspect, tenant);
		const everything = await inspect.everything();
		assert.ok(!everything.includes(clientId) && !everything.includes(clientSecret), "stored in plain text");
		await assertOpensWithSecretAlone(world, [row.clientId], clientId);
		await assertOpensWithSecretAlone(world, [row.clientSecret], clientSecret);
	}),
} satisfies Checks;
