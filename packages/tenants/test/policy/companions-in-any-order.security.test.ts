import { admin, magicLink, twoFactor } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantInvitations, tenantRoles } from "../../src/admin.ts";
import { tenantLifecycle } from "../../src/lifecycle.ts";
import { tenantPolicy } from "../../src/policy.ts";

const EMAIL = "ada@example.com";
const COMPANIONS = {
	tenantPolicy: () => tenantPolicy(),
	tenantAdmin: () => tenantAdmin(),
	tenantLifecycle: () => tenantLifecycle(),
	tenantInvitations: () =>
		tenantInvitations({ acceptURL: "https://app.example.com/invitation", sendInvitation: async () => {} }),
};
type Name = keyof typeof COMPANIONS;

const orders = (names: Name[]): Name[][] =>
	names.length < 2
		? [names]
		: names.flatMap((first) => orders(names.filter((name) => name !== first)).map((rest) => [first, ...rest]));

// tenantInvitations() requires tenantAdmin() before it
const ORDERS = orders(["tenantPolicy", "tenantAdmin", "tenantLifecycle"]).flatMap((order) => [
	[...order, "tenantInvitations" as const],
]);

describe.each(ORDERS.map((order) => [order.join(", "), order] as const))("the companions %s", (_, order) => {
	const start = async (enabled: boolean) => {
		const world = await composedWorld(
			[
				admin({ ...tenantRoles }),
				twoFactor(),
				magicLink({ sendMagicLink: async () => {} }),
				...order.map((name) => COMPANIONS[name]()),
			],
			{ engine: { session: { cookieCache: { enabled, maxAge: 300 } }, user: { deleteUser: { enabled: true } } } },
		);
		const set = (tenantId: string, policy: object) =>
			world.ok("/tenant/policy/update", { operator: true, body: { tenantId, policy, force: true } });
		return { ...world, set };
	};

	// threat 126
	it.each([false, true])("end sessions that the policy excludes (cookie cache: %s)", async (enabled) => {
		const { a, b, set, signUp, call, whoami } = await start(enabled);
		for (const policy of [{ methods: ["magicLink"] }, { secondFactor: "required" }]) {
			const email = `${Object.keys(policy)[0]}@example.com`;
			const [mine, theirs] = [await signUp(a, email), await signUp(b, email)];
			await set(a, policy);
			expect([policy, await whoami(mine)]).toEqual([policy, null]);
			expect((await call("/list-sessions", { browser: mine })).status).toBe(401);
			expect((await whoami(theirs)).user.tenantId).toBe(b);
			await set(a, { methods: null, secondFactor: null });
		}
	});

	// threat 110
	it("keep the last owner's sessions and accounts when a deletion is refused", async () => {
		const { a, b, ok, call, signUp, whoami } = await start(false);
		const owner = await signUp(a, EMAIL);
		await signUp(b, EMAIL);
		const { user } = await whoami(owner);
		await ok("/tenant/user/set-role", { operator: true, body: { tenantId: a, userId: user.id, role: "owner" } });
		const refused = await call("/delete-user", { browser: owner.copy(), body: { password: PASSWORD } });
		expect([refused.status, refused.code]).toEqual([409, "LAST_OWNER"]);
		expect((await whoami(owner)).user.id).toBe(user.id);
		expect((await call("/sign-in/email", { tenant: a, body: { email: EMAIL, password: PASSWORD } })).status).toBe(200);
	});
});
