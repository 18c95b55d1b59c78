import type { BetterAuthPlugin } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { emailOTP } from "better-auth/plugins/email-otp";
import { username } from "better-auth/plugins/username";
import { Browser } from "test-kit/browser";
import { passTime } from "test-kit/pass-time";
import { createWorld, MANAGEMENT_KEY, PASSWORD, type World } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import { withTenants } from "../../src/index.ts";

const createHouse = (emailAndPassword: object = {}, plugins: BetterAuthPlugin[] = []) =>
	createWorld({
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [admin(), username(), ...plugins]),
		engine: { emailAndPassword: { enabled: true, requireEmailVerification: true, ...emailAndPassword } },
	});

/** The response without the fields that differ between any two users. */
const shapeOf = (json: { user: Record<string, unknown> }) => ({
	...json,
	user: { ...json.user, id: "id", createdAt: "date", updatedAt: "date" },
});

// threat 52
describe.each(["/tenant/sign-up/email", "/sign-up/email"])("%s, with email verification", (path) => {
	const signUp = async (world: World, tenant: string) => {
		const body = { name: "Ada", email: "ada@example.com", password: PASSWORD };
		return (await world.call(path, { tenant, body })).json;
	};

	it("responds alike to new and taken emails, with a plugin that gives new users a role", async () => {
		const world = await createHouse();
		const tenant = await world.newTenant();
		const [made, taken] = [await signUp(world, tenant), await signUp(world, tenant)];
		expect(shapeOf(taken)).toEqual(shapeOf(made));
		expect(Object.keys(taken.user)).toEqual(Object.keys(made.user));
		expect(made.user).toMatchObject({ name: "Ada", email: "ada@example.com", emailVerified: false, tenantId: tenant });
		expect(await world.database.query('select "role" from "user"')).toEqual([{ role: "user" }]);
	});

	it("keeps the response of an application that builds synthetic users itself", async () => {
		const world = await createHouse({
			customSyntheticUser: ({ coreFields, id }: { coreFields: object; id: string }) => ({
				...coreFields,
				role: "user",
				id,
			}),
		});
		const tenant = await world.newTenant();
		expect([(await signUp(world, tenant)).user.role, (await signUp(world, tenant)).user.role]).toEqual([
			"user",
			"user",
		]);
	});
});

// threat 52
describe("requests that take longer if a user exists", () => {
	/** Records the requested delays. The clock stands still and no delay is awaited. */
	const delaysOf = async (call: () => Promise<{ status: number }>): Promise<number[]> => {
		passTime(0);
		const delays: number[] = [];
		const now = globalThis.setTimeout;
		const spy = vi.spyOn(globalThis, "setTimeout").mockImplementation(((act: () => void, ms = 0) => {
			if (ms > 0) delays.push(ms);
			return now(act, 0);
		}) as never);
		try {
			expect((await call()).status).toBe(200);
			return delays;
		} finally {
			spy.mockRestore();
		}
	};
	const codes = emailOTP({ sendVerificationOTP: async () => {} });
	const signUpAs = (world: World, tenant: string, email: string) => () =>
		world.call("/tenant/sign-up/email", { tenant, body: { name: "Ada", email, password: PASSWORD } });

	it("respond after 500 ms in both cases", async () => {
		const world = await createHouse({}, [codes]);
		const tenant = await world.newTenant();
		const code = (email: string) => () =>
			world.call("/email-otp/send-verification-otp", { tenant, body: { email, type: "forget-password" } });
		const taken = "ada@example.com";
		for (const call of [
			signUpAs(world, tenant, taken),
			signUpAs(world, tenant, taken),
			code(taken),
			code("eve@example.com"),
		]) {
			expect(await delaysOf(call)).toEqual([500]);
		}
	});

	it("respond after 500 ms to a password reset and a change of email, known or not", async () => {
		const sent: string[] = [];
		const world = await createWorld({
			allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, []),
			engine: {
				emailAndPassword: { enabled: true, sendResetPassword: async ({ user }) => void sent.push(user.email) },
				emailVerification: { sendVerificationEmail: async ({ user }) => void sent.push(user.email) },
				user: { changeEmail: { enabled: true } },
			},
		});
		const tenant = await world.newTenant();
		const browser = new Browser();
		const body = { name: "Ada", email: "ada@example.com", password: PASSWORD };
		await world.call("/tenant/sign-up/email", { tenant, browser, body });
		await signUpAs(world, tenant, "bo@example.com")();
		const reset = (email: string) => () => world.call("/request-password-reset", { tenant, body: { email } });
		const change = (newEmail: string) => () => world.call("/change-email", { tenant, browser, body: { newEmail } });
		for (const call of [
			reset("ada@example.com"),
			reset("eve@example.com"),
			change("bo@example.com"),
			change("new@example.com"),
		])
			expect(await delaysOf(call)).toEqual([500]);
		expect(sent).toEqual(["ada@example.com", "new@example.com"]);
	});

	it("respond without a delay if signed in, and on the platform", async () => {
		const world = await createHouse({ requireEmailVerification: false }, [codes]);
		const tenant = await world.newTenant();
		expect(await delaysOf(signUpAs(world, tenant, "ada@example.com"))).toEqual([]);
		const body = { email: "eve@example.com", type: "forget-password" };
		expect(await delaysOf(() => world.call("/email-otp/send-verification-otp", { body }))).toEqual([]);
	});
});
