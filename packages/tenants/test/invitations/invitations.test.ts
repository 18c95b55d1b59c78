import { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { sha256Text } from "../../src/lib/sha256.ts";
import { readTag } from "../../src/scope/pin/tag.ts";
import { invitingWorld, outcome } from "./support/inviting-world.ts";

const ADA = "ada@example.com";

describe("an invitation", () => {
	it("is mailed, shown to the holder of its token, and accepted once with a password", async () => {
		const world = await invitingWorld();
		const { a, b } = world;
		const created = await world.invite({ tenantId: a, email: "Ada@Example.com", role: "admin" });
		expect(created.json).toEqual({
			id: expect.any(String),
			tenantId: a,
			email: ADA,
			role: "admin",
			inviterId: null,
			expiresAt: expect.any(String),
			sentAt: expect.any(String),
			createdAt: expect.any(String),
		});
		const [mail] = world.sent;
		expect(mail).toMatchObject({ email: ADA, role: "admin", inviter: null });
		expect(mail?.tenant).toEqual({ id: a, name: "Tenant acme", slug: "acme" });
		expect(new URL(mail?.url ?? "").origin).toBe("https://app.example.com");
		expect(Object.fromEntries(new URL(mail?.url ?? "").searchParams)).toEqual({ from: "mail", token: mail?.token });

		const token = mail?.token ?? "";
		for (let visit = 0; visit < 2; visit++) {
			const shown = await world.call("/tenant/invitation/get", { query: { token } });
			expect(shown.json).toMatchObject({
				tenant: { id: a, name: "Tenant acme" },
				email: ADA,
				role: "admin",
				inviter: null,
			});
			expect(shown.json.methods).toMatchObject({ email: { enabled: true, signUp: true } });
			expect(shown.headers.get("cache-control")).toBe("no-store");
		}
		const browser = new Browser();
		const accepted = await world.accept(token, { browser });
		expect(accepted.json).toMatchObject({ token: expect.any(String), user: { email: ADA, role: "admin" } });
		expect((await world.call("/get-session", { browser })).json).toMatchObject({
			session: { tenantId: a },
			user: { email: ADA, role: "admin", emailVerified: true },
		});
		expect(await world.users()).toEqual([{ tenantId: a, email: ADA, role: "admin", emailVerified: true }]);
		// the link was the proof, so no second one is sent
		expect(world.mails).toEqual([]);

		for (const again of [await world.accept(token), await world.call("/tenant/invitation/get", { query: { token } })])
			expect(outcome(again)).toEqual([404, "INVITATION_NOT_FOUND"]);
		expect(await world.rows("tenantInvitation")).toEqual([]);
		const signIn = { body: { email: ADA, password: PASSWORD } };
		expect((await world.call("/sign-in/email", { tenant: a, ...signIn })).status).toBe(200);
		expect((await world.call("/sign-in/email", { tenant: b, ...signIn })).status).toBe(401);
	});

	it("says who invites, to the holder of its token", async () => {
		const world = await invitingWorld();
		for (const [tenantId, email] of [
			[world.a, "olivia@example.com"],
			[world.b, "nora@example.com"],
		] as const) {
			const browser = await world.member(tenantId, email, "owner");
			const token = await world.tokenFor(tenantId, ADA, "member", { browser });
			const { json } = await world.call("/tenant/invitation/get", { query: { token } });
			expect(json.inviter).toEqual({ name: expect.any(String), email });
			expect(world.sent.at(-1)?.inviter).toEqual(json.inviter);
		}
	});

	it("is stored without its token, and no response contains it", async () => {
		const world = await invitingWorld();
		const token = await world.tokenFor(world.a, ADA);
		const random = readTag(token)?.value ?? "";
		const [row] = await world.rows("tenantInvitation");
		expect(row?.token).toBe(await sha256Text(random));
		const list = await world.call("/tenant/invitation/list", { operator: true, query: { tenantId: world.a } });
		for (const text of [JSON.stringify(row), list.text, world.logs.join("\n")]) expect(text).not.toContain(random);
		expect(list.text).not.toContain(String(row?.token));
	});

	it("is listed, sent again and revoked in its own tenant only", async () => {
		const world = await invitingWorld();
		const { a, b } = world;
		const first = await world.tokenFor(a, ADA);
		await world.tokenFor(b, ADA);
		const list = async (tenantId: string) =>
			(await world.call("/tenant/invitation/list", { operator: true, query: { tenantId } })).json as unknown as {
				id: string;
				tenantId: string;
			}[];
		const [[inA], [inB]] = [await list(a), await list(b)];
		expect([inA?.tenantId, inB?.tenantId]).toEqual([a, b]);

		for (const action of ["resend", "revoke"])
			for (const id of [inB?.id, "no-such-id"]) {
				const body = { tenantId: a, id };
				const tried = await world.call(`/tenant/invitation/${action}`, { operator: true, body });
				expect(outcome(tried)).toEqual([404, "INVITATION_NOT_FOUND"]);
			}
		const own = { operator: true, body: { tenantId: a, id: inA?.id } };
		expect((await world.call("/tenant/invitation/resend", own)).status).toBe(200);
		const second = world.sent.at(-1)?.token ?? "";
		expect(second).not.toBe(first);
		expect(outcome(await world.accept(first))).toEqual([404, "INVITATION_NOT_FOUND"]);
		expect((await world.call("/tenant/invitation/get", { query: { token: second } })).status).toBe(200);

		expect((await world.call("/tenant/invitation/revoke", own)).json).toEqual({ success: true });
		expect(outcome(await world.call("/tenant/invitation/revoke", own))).toEqual([404, "INVITATION_NOT_FOUND"]);
		expect(outcome(await world.accept(second))).toEqual([404, "INVITATION_NOT_FOUND"]);
		expect([await list(a), (await list(b)).length]).toEqual([[], 1]);
		expect(await world.users()).toEqual([]);
	});

	it("is not created twice for an address, but again after it was revoked", async () => {
		const world = await invitingWorld();
		await world.tokenFor(world.a, ADA);
		const twice = await world.invite({ tenantId: world.a, email: "ADA@example.com" });
		expect(outcome(twice)).toEqual([409, "INVITATION_EXISTS"]);
		const [row] = await world.rows("tenantInvitation");
		await world.call("/tenant/invitation/revoke", { operator: true, body: { tenantId: world.a, id: row?.id } });
		const token = await world.tokenFor(world.a, ADA, "admin");
		expect((await world.accept(token)).json.user).toMatchObject({ role: "admin" });
	});

	it("stays if it could not be sent, and says so", async () => {
		let isDown = true;
		const sent: string[] = [];
		const sendInvitation = async ({ token }: { token: string }) => {
			if (isDown) throw new Error("the mail server is down");
			sent.push(token);
		};
		const world = await invitingWorld({ invitations: { sendInvitation } });
		const created = await world.invite({ tenantId: world.a, email: ADA });
		expect(outcome(created)).toEqual([503, "INVITATION_NOT_SENT"]);
		isDown = false;
		const [row] = await world.rows("tenantInvitation");
		const body = { tenantId: world.a, id: row?.id };
		expect((await world.call("/tenant/invitation/resend", { operator: true, body })).status).toBe(200);
		expect((await world.accept(sent[0] ?? "")).status).toBe(200);
	});

	it("goes with its tenant", async () => {
		const world = await invitingWorld();
		await world.tokenFor(world.a, ADA);
		await world.tokenFor(world.b, ADA);
		await world.call("/tenant/delete", { operator: true, body: { tenantId: world.a } });
		expect((await world.rows("tenantInvitation")).map(({ tenantId }) => tenantId)).toEqual([world.b]);
	});

	it("takes the application's own user fields and none that a user may not set", async () => {
		const engine = { user: { additionalFields: { team: { type: "string" as const, required: true } } } };
		const world = await invitingWorld({ engine });
		const fields = { name: "Ada", password: PASSWORD };
		expect((await world.accept(await world.tokenFor(world.a, ADA), { fields })).status).toBe(400);
		const accept = (more: object) =>
			world.accept(world.sent[0]?.token ?? "", { fields: { ...fields, team: "red", ...more } });
		for (const more of [{ role: "owner" }, { email: "eve@example.com" }]) expect((await accept(more)).status).toBe(400);
		// the tenant of the body is a hint like any other, and the token is not known there
		expect(outcome(await accept({ tenantId: world.b }))).toEqual([404, "INVITATION_NOT_FOUND"]);
		expect((await accept({ emailVerified: false, id: "chosen" })).status).toBe(200);
		const [user] = await world.rows("user");
		expect([user?.email, user?.team, user?.role, Boolean(user?.emailVerified)]).toEqual([ADA, "red", "member", true]);
		expect(user?.id).not.toBe("chosen");
	});

	it("requires tenantAdmin(), a sender and a page at start", async () => {
		const { admin } = await import("better-auth/plugins/admin");
		const { betterAuth } = await import("better-auth");
		const { withTenants } = await import("../../src/index.ts");
		const { tenantInvitations, tenantRoles } = await import("../../src/admin.ts");
		const options = { acceptURL: "https://app.example.com", sendInvitation: () => {} };
		const plugins = withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
			admin({ ...tenantRoles }),
			tenantInvitations(options),
		]);
		await expect(betterAuth({ baseURL: ORIGIN, secret: "s".repeat(32), plugins }).$context).rejects.toThrow(
			"requires tenantAdmin()",
		);
		expect(() => tenantInvitations({ ...options, acceptURL: "javascript:alert(1)" })).toThrow("acceptURL");
		expect(() => tenantInvitations({ acceptURL: options.acceptURL } as never)).toThrow("sendInvitation");
		for (const expiresIn of [59, 2_592_001, 60.5, Number.NaN])
			expect(() => tenantInvitations({ ...options, expiresIn })).toThrow("expiresIn");
	});
});
