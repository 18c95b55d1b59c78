import type { ServerResponse } from "node:http";
import { json } from "test-kit/hostile-provider";
import { PASSWORD } from "test-kit/world";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "./support/hostile-answers.ts";
import { good, PATIENT, profile, useHostileProvider } from "./support/hostile-target.ts";

const { provider, createTarget, attempt } = useHostileProvider();

const rejections: unknown[] = [];
const note = (reason: unknown) => rejections.push(reason);
process.on("unhandledRejection", note);
afterAll(() => {
	process.off("unhandledRejection", note);
	expect(rejections).toEqual([]);
});

describe("a hostile or broken provider", () => {
	// threat 28
	// threat 55
	it(`creates no user and no session and is stopped at the deadline, in each of ${cases.length} ways`, {
		timeout: 180_000,
	}, async () => {
		expect(cases.length).toBeGreaterThanOrEqual(200);
		const { world, a, b } = await createTarget();
		for (const [name, { token = json(good), user = json(profile) }] of cases) {
			Object.assign(provider(), { token, user });
			// without the deadline, this would hang
			const { answer, browser } = await attempt(world, a);
			expect([name, answer.status, answer.location?.startsWith("/failed?error=")]).toEqual([name, 302, true]);
			expect([name, (await world.call("/get-session", { browser })).json]).toEqual([name, null]);
		}
		const left = await world.database.query(`select "tenantId" from "user"`);
		expect(left.map((row) => row.tenantId)).toEqual([b]);
		expect(await world.database.query(`select count(*) as n from "session" where "tenantId" = '${a}'`)).toEqual([
			{ n: 0 },
		]);
		expect(({} as { admin?: boolean }).admin).toBeUndefined();
	});

	it("signs in if it behaves: the cases above fail for what they do", async () => {
		const { world, a } = await createTarget("gitlab", PATIENT);
		provider().token = json(good);
		provider().user = json(profile);
		expect((await attempt(world, a)).answer.location).toBe("/home");
	});

	// threat 63
	it("does not delay the sign-ins of other tenants", async () => {
		const { world, a, b } = await createTarget("gitlab", PATIENT);
		const held: ServerResponse[] = [];
		let allHang = () => {};
		const hang = new Promise<void>((resolve) => {
			allHang = resolve;
		});
		provider().token = (_request, response) => {
			if (held.push(response) === 50) allHang();
		};
		let ended = 0;
		const hanging = Array.from({ length: 50 }, () => attempt(world, a).then(() => ended++));
		await hang;
		const body = { tenantId: b, email: "ada@example.com", password: PASSWORD };
		for (let n = 0; n < 5; n += 1) expect((await world.call("/tenant/sign-in/email", { body })).status).toBe(200);
		// all of them still wait for their provider
		expect(ended).toBe(0);
		for (const response of held) response.destroy();
		await Promise.all(hanging);
	});

	// threat 28
	it("sets name, picture and emailVerified to valid values only", async () => {
		const { world, a } = await createTarget("gitlab", PATIENT);
		provider().token = json(good);
		const seen = async (changes: Record<string, unknown>) => {
			provider().user = json({
				...profile,
				id: Math.floor(Math.random() * 1e9),
				email: `p${Math.random()}@example.com`,
				...changes,
			});
			const { browser } = await attempt(world, a);
			return (await world.call("/get-session", { browser })).json.user;
		};
		expect((await seen({ avatar_url: "javascript:alert(1)" })).image).toBeNull();
		expect((await seen({ avatar_url: "https://example.com/a.png" })).image).toBe("https://example.com/a.png");
		// a tenant's own server cannot verify emails
		for (const verified of [true, "true", 1, {}]) {
			expect((await seen({ email_verified: verified })).emailVerified).toBe(false);
		}
	});
});
