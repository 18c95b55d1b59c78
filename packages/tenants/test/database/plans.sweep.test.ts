import { Client, Pool } from "pg";
import { useIdentityProvider } from "test-kit/social";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type CrowdedWorld, createCrowdedWorld } from "./support/crowded-world.ts";
import { findScans, showPlan } from "./support/explain.ts";
import { hotPath } from "./support/hot-path.ts";
import { recordStatements, type Sent } from "./support/record-statements.ts";
import { withoutIndex } from "./support/without-index.ts";

// a hundred thousand rows and every flow, on a machine that may be busy
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const idp = useIdentityProvider();
const closing: (() => Promise<void>)[] = [];
const hot: { flow: string; statement: Sent; isLargeTenant: boolean }[] = [];
let world: CrowdedWorld;
let client: Client;

beforeAll(async () => {
	world = await createCrowdedWorld({ onFinished: (close) => closing.unshift(close) });
	const { connection } = world.database;
	if (!(connection instanceof Pool)) throw new Error("The world is not on PostgreSQL");
	client = new Client({ connectionString: connection.options.connectionString });
	await client.connect();
	closing.unshift(() => client.end());
	const recorder = recordStatements(connection);
	// the planner knows a tenant's size and may choose another plan for a small one
	for (const [size, tenant] of Object.entries(world.tenants)) {
		for (const { name, act } of hotPath(world, idp(), tenant)) {
			const statements = await recorder.during(act);
			expect(statements.length, `statements of ${name}`).toBeGreaterThan(0);
			for (const statement of statements)
				hot.push({ flow: `${name}, ${size} tenant`, statement, isLargeTenant: size === "largest" });
		}
	}
});

afterAll(async () => {
	for (const close of closing) await close();
});

/** Every scan on the hot path: location, statement and plan. */
const scansOfHotPath = async (): Promise<string[]> => {
	const found: string[] = [];
	for (const { flow, statement, isLargeTenant } of hot) {
		const scans = await findScans(client, statement, isLargeTenant);
		if (scans.length > 0)
			found.push(`${flow}: ${scans.join(", ")}\n${statement.text}\n${await showPlan(client, statement)}`);
	}
	return found;
};

describe("PostgreSQL with thousands of rows in every table", () => {
	it("uses an index for every statement of the hot path, in a large and in a small tenant", async () => {
		expect(await world.fewestRows()).toBeGreaterThanOrEqual(5_000);
		expect(await scansOfHotPath()).toEqual([]);
	});

	it.each([
		["tenant_pkey", "a tenant that is not cached", "tenant"],
		["tenant_slug_key", "tenant by slug", "tenant"],
		["tenant_createdAt_idx", "tenants, first page", "tenant"],
		["tenantOauthConfig_tenantId_providerId_uidx", "social start", "tenantOauthConfig"],
		["user_pkey", "get-session", "user"],
		["user_tenantId_email_uidx", "sign-in", "user"],
		["account_userId_idx", "sign-in", "account"],
		["account_tenantId_providerId_accountId_uidx", "callback of an existing user", "account"],
		["session_token_key", "get-session", "session"],
		["session_userId_idx", "list-sessions", "session"],
		["verification_identifier_idx", "callback of an existing user", "verification"],
		["verification_tenantId_expiresAt_idx", "password reset link opened", "verification"],
	])("finds the scan if %s is missing: %s, of %s", async (index, flow, table) => {
		const found = await withoutIndex(client, index, scansOfHotPath);
		const headlines = found.map((text) => text.split("\n")[0]);
		expect(headlines).toContainEqual(
			expect.stringMatching(`^${flow}, largest tenant: .*(on ${table}|of a whole tenant, by ${table}_\\w+)$`),
		);
	});
});
