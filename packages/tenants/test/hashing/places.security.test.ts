import { createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "better-auth/api";
import { username } from "better-auth/plugins/username";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type WorldOptions } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { withTenants } from "../../src/index.ts";

const ada = { name: "Ada", email: "ada@example.com", password: PASSWORD };
const stranger = { ...ada, email: "stranger@evil.example" };
const tenantAuth = {
	management: { keys: [MANAGEMENT_KEY] },
	hashing: { concurrency: 1, maxQueuePerTenant: 4, maxWait: 5 },
};

const refuseStrangers = createAuthMiddleware(async ({ body }) => {
	if (body?.email === stranger.email) throw new APIError("FORBIDDEN");
});

const respondToStrangers = createAuthMiddleware(async () => ({ early: true }));

type Way = { options: WorldOptions; path?: string; headers?: Record<string, string>; body?: object; status: number };

const WAYS: [string, Way][] = [
	[
		"the guard for impersonated sessions rejects it",
		{ options: { tenantAuth }, headers: { "x-any": `impersonated-${"a".repeat(32)}~x` }, status: 403 },
	],
	[
		"the application's hook rejects it",
		{ options: { tenantAuth, engine: { hooks: { before: refuseStrangers } } }, status: 403 },
	],
	[
		"the application's hook rejects the delegated call",
		{
			options: { tenantAuth, engine: { hooks: { before: refuseStrangers } } },
			path: "/tenant/sign-in/email",
			status: 403,
		},
	],
	[
		"another plugin's hook responds first",
		{
			options: {
				tenantAuth,
				plugins: [
					{
						id: "early",
						hooks: {
							before: [
								{
									matcher: ({ path, body }) => path === "/sign-in/email" && body?.email === stranger.email,
									handler: respondToStrangers,
								},
							],
						},
					},
				],
			},
			status: 200,
		},
	],
	[
		"another plugin rejects it",
		{
			options: { allPlugins: withTenants(tenantAuth, [username()]) },
			path: "/sign-up/email",
			body: { username: "a" },
			status: 400,
		},
	],
	["its body is invalid", { options: { tenantAuth }, body: { password: 7 }, status: 400 }],
];

// threats 63 and 64
describe("a request that never hashes a password releases its slot", () => {
	it.each(WAYS)("if %s", async (_, { options, path = "/sign-in/email", headers = {}, body = {}, status }) => {
		const world = await createWorld(options);
		const tenant = await world.newTenant();
		await world.signUp(tenant, ada.email);
		for (let number = 0; number < 10; number += 1) {
			const response = await world.call(path, { tenant, headers, body: { ...stranger, ...body } });
			expect(response.status).toBe(status);
		}
		expect((await world.call("/sign-in/email", { tenant, body: ada })).status).toBe(200);
	});

	it("if the database fails", async () => {
		const world = await createWorld({ tenantAuth });
		const tenant = await world.newTenant();
		await world.signUp(tenant, ada.email);
		const { internalAdapter } = await world.auth.$context;
		const { findUserByEmail } = internalAdapter;
		internalAdapter.findUserByEmail = async () => {
			throw new Error("gone");
		};
		for (let number = 0; number < 10; number += 1)
			expect((await world.call("/sign-in/email", { tenant, body: ada })).status).toBe(500);
		internalAdapter.findUserByEmail = findUserByEmail;
		expect((await world.call("/sign-in/email", { tenant, body: ada })).status).toBe(200);
	});
});
