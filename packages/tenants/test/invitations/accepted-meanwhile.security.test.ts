import type { AuthContext, BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { Browser } from "test-kit/browser";
import { cheapHash } from "test-kit/cheap-hash";
import { describe, expect, it } from "vitest";
import { createRightsWorld } from "../rights/support/rights-world.ts";
import { invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";
const SIGN_IN = [401, "INVITATION_SIGN_IN_REQUIRED"];

/** Runs something once while a password is hashed, which is after the checks and before the transaction. */
const whileHashing = () => {
	const next: (() => Promise<unknown>)[] = [];
	const hash = async (password: string): Promise<string> => {
		await next.shift()?.();
		return cheapHash.hash(password);
	};
	return { next, engine: { emailAndPassword: { enabled: true, password: { ...cheapHash, hash } } } };
};

describe("an invitation that a new user accepts", () => {
	// threat 112
	it("creates nobody if a sign-up took the address meanwhile", async () => {
		const { next, engine } = whileHashing();
		const world = await invitingWorld({ engine });
		const { a, b } = world;
		const [token, other] = [await world.tokenFor(a, ADA, "admin"), await world.tokenFor(b, ADA, "admin")];
		next.push(() => world.signUp(a, ADA));
		expect(outcome(await world.accept(token))).toEqual(SIGN_IN);
		expect(await world.users()).toMatchObject([{ tenantId: a, role: "member", emailVerified: false }]);
		expect((await world.accept(other)).status).toBe(200);
		// it is not used up
		expect((await world.call("/tenant/invitation/get", { query: { token } })).status).toBe(200);
	});

	// threat 113
	it("grants nothing if the inviter lost their role meanwhile", async () => {
		const { next, engine } = whileHashing();
		const world = await invitingWorld({ engine });
		const { a, b } = world;
		await world.member(a, "first@example.com", "owner");
		const browser = await world.member(a, "owner@example.com", "owner");
		const { user } = (await world.call("/get-session", { browser })).json;
		const token = await world.tokenFor(a, ADA, "owner", { browser });
		const other = await world.tokenFor(b, ADA, "owner");
		const demote = () =>
			world.call("/tenant/user/set-role", {
				operator: true,
				body: { tenantId: a, userId: user.id, role: "member" },
			});
		next.push(demote);
		expect(outcome(await world.accept(token))).toEqual([404, "INVITATION_NOT_FOUND"]);
		next.push(demote);
		expect((await world.accept(other)).status).toBe(200);
		const invited = (await world.users()).filter(({ email }) => email === ADA);
		expect(invited.map(({ tenantId, role }) => [tenantId, role])).toEqual([[b, "owner"]]);
	});

	it.each([
		["a long password", {}, "p".repeat(129), [400, "PASSWORD_TOO_LONG"]],
		["no passwords", { emailAndPassword: { enabled: false } }, "password", SIGN_IN],
		["no user", refusing("user"), "password", [400, "FAILED_TO_CREATE_USER"]],
		["no session", refusing("session"), "password", [400, "FAILED_TO_CREATE_SESSION"]],
	])("creates nobody with %s, and is not used up", async (_, engine: Partial<BetterAuthOptions>, password, refusal) => {
		const world = await invitingWorld({ engine });
		const [token] = [await world.tokenFor(world.a, ADA), await world.tokenFor(world.b, ADA)];
		expect(outcome(await world.accept(token, { fields: { name: "Ada", password } }))).toEqual(refusal);
		expect([await world.users(), (await world.rows("tenantInvitation")).length]).toEqual([[], 2]);
	});
});

/** A hook of the application that refuses new rows. */
function refusing(model: "user" | "session"): Partial<BetterAuthOptions> {
	return { databaseHooks: { [model]: { create: { before: async () => false } } } };
}

describe("an invitation that a user accepts", () => {
	// threat 112
	it("raises no role without the password, if the role was lowered meanwhile", async () => {
		const { world, a, b, inA, inB, last, verifyEmail, holdWhile, operate, rolesIn } = await createRightsWorld();
		const accept = async (tenantId: string, { admin }: typeof inA) => {
			await verifyEmail(tenantId, admin);
			const body = { tenantId, email: admin.email, role: "admin" };
			await world.ok("/tenant/invitation/create", { operator: true, body });
			const token = last();
			return holdWhile(
				(headers) =>
					world.call("/tenant/invitation/accept", { browser: admin.browser.copy(), headers, body: { token } }),
				() => operate("set-role", inA.admin, { role: "member" }),
			);
		};
		expect(outcome(await accept(a, inA))).toEqual(SIGN_IN);
		expect((await rolesIn(a))[inA.admin.email]).toBe("member");
		expect((await accept(b, inB)).status).toBe(200);
		expect((await rolesIn(b))[inB.admin.email]).toBe("admin");
	});
});

/** Runs something once, around the transaction in which an invitation is written. */
const aroundTransaction = () => {
	const next: { before?: () => Promise<unknown>; after?: () => Promise<unknown> } = {};
	const plugin: BetterAuthPlugin = {
		id: "around",
		init: ({ adapter }: AuthContext) => {
			const { transaction } = adapter;
			adapter.transaction = async (run) => {
				const { before, after } = next;
				delete next.before;
				delete next.after;
				await before?.();
				const result = await transaction(run);
				await after?.();
				return result;
			};
		},
	};
	return { next, plugin };
};

describe("an invitation that is created", () => {
	it.each(["before", "after"] as const)("is not sent if the tenant is deleted %s it is stored", async (when) => {
		const { next, plugin } = aroundTransaction();
		const world = await invitingWorld({ plugins: [plugin] });
		const { a, b } = world;
		const remove = () => world.call("/tenant/delete", { operator: true, body: { tenantId: a } });
		next[when] = remove;
		expect(outcome(await world.invite({ tenantId: a, email: ADA }))).toEqual([404, "TENANT_NOT_FOUND"]);
		expect(world.sent).toEqual([]);
		next[when] = remove;
		expect((await world.invite({ tenantId: b, email: ADA })).status).toBe(200);
		expect(world.sent.map(({ tenant }) => tenant.id)).toEqual([b]);
		const stored = (await world.rows("tenantInvitation")).map(({ tenantId }) => tenantId);
		expect(stored).toEqual([b]);
		expect((await world.accept(world.sent[0]?.token ?? "", { browser: new Browser() })).status).toBe(200);
	});
});
