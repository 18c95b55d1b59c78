import { afterEach, describe, expect, it } from "vitest";
import { MANAGEMENT_KEY } from "../support/environment.ts";
import { startGitlab } from "../support/gitlab.ts";
import { createWorld } from "../support/world.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const cookieOf = (answer: Response): string =>
	answer.headers
		.getSetCookie()
		.map((line) => line.split(";")[0])
		.join("; ");

/** Two tenants with a signed-in user each. Evil's own GitLab hangs whenever a token is refreshed. */
const startAttack = async () => {
	const gitlab = await startGitlab();
	closers.push(gitlab.close);
	const world = await createWorld({
		environment: { TENANT_REQUESTS_AT_ONCE: "3", ALLOW_PRIVATE_HOSTS: "true", PROVIDER_TIMEOUT: "60" },
	});
	closers.push(world.close);
	const service = await world.start();
	const [evil, victim] = [await service.createTenant("evil"), await service.createTenant("victim")];
	await service.post(
		"/tenant/oauth-config/register",
		{ tenantId: evil, providerId: "gitlab", clientId: "id", clientSecret: "secret", options: { issuer: gitlab.url } },
		{ authorization: `Bearer ${MANAGEMENT_KEY}` },
	);
	const begun = await service.post("/tenant/sign-in/social", { tenantId: evil, provider: "gitlab", callbackURL: "/" });
	const { url } = (await begun.json()) as { url: string };
	const state = new URL(url).searchParams.get("state") ?? "";
	const back = `/api/auth/tenant/callback/gitlab/${evil}?code=x&state=${encodeURIComponent(state)}`;
	const eve = cookieOf(await service.call(back, { headers: { cookie: cookieOf(begun) } }));
	const listed = await service.call("/api/auth/list-accounts", { headers: { cookie: eve } });
	const [account] = (await listed.json()) as { id: string }[];
	const ada = cookieOf(await service.signUp(victim, "ada@example.com"));

	gitlab.state.mode = "hanging";
	let made = 0;
	return {
		evil,
		victim,
		gitlab,
		/** One request of evil that waits for its GitLab, with any header. */
		refresh: (header: string) =>
			service.post(
				`/refresh-token?tenantId=${evil}`,
				{ accountId: account?.id },
				{ cookie: eve, "x-tenant-id": header },
			),
		madeUp: () => `made-up-${made++}`,
		sessionOf: async (who: "ada" | "eve") => {
			const answer = await service.call("/api/auth/get-session", { headers: { cookie: who === "ada" ? ada : eve } });
			const { user, code } = (await answer.json()) as { user?: { email: string }; code?: string };
			return [answer.status, user ? "signed in" : code];
		},
		untilHeld: (count: number) => expect.poll(gitlab.held, { timeout: 30_000 }).toBe(count),
	};
};

// threat 78
describe("a tenant whose own identity provider hangs", () => {
	it("uses up its own share, not that of the tenant named in a header", async () => {
		const attack = await startAttack();
		const waiting = Array.from({ length: 3 }, () => attack.refresh(attack.victim));
		await attack.untilHeld(3);
		expect(await attack.sessionOf("ada")).toEqual([200, "signed in"]);
		expect(await attack.sessionOf("eve")).toEqual([503, "TENANT_BUSY"]);
		for (let number = 0; number < 5; number += 1) {
			const oneMore = await attack.refresh(attack.victim);
			expect([oneMore.status, ((await oneMore.json()) as { code: string }).code]).toEqual([503, "TENANT_BUSY"]);
		}
		expect(await attack.sessionOf("ada")).toEqual([200, "signed in"]);
		attack.gitlab.letGo();
		for (const answer of waiting) expect((await answer).status).toBe(400);
		expect(await attack.sessionOf("eve")).toEqual([200, "signed in"]);
	});

	it("gets no more than its share with a made-up header on each request", async () => {
		const attack = await startAttack();
		const all = Array.from({ length: 12 }, () => attack.refresh(attack.madeUp()));
		const turnedAway: number[] = [];
		for (const answer of all) void answer.then(({ status }) => status === 503 && turnedAway.push(status));
		await expect.poll(() => turnedAway.length, { timeout: 30_000 }).toBe(9);
		await attack.untilHeld(3);
		expect(await attack.sessionOf("ada")).toEqual([200, "signed in"]);
		attack.gitlab.letGo();
		const statuses = (await Promise.all(all)).map(({ status }) => status);
		expect(statuses.toSorted()).toEqual([...Array(3).fill(400), ...Array(9).fill(503)]);
	});
});
