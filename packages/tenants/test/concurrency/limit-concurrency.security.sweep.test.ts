import { bearer } from "better-auth/plugins";
import { createWorld, ORIGIN } from "test-kit/world";
import { afterEach, describe, expect, it, vi } from "vitest";
import { limitConcurrency, PLATFORM, runWithTenant } from "../../src/index.ts";
import { withTag } from "../../src/scope/pin/tag.ts";
import { createWaitingWorld, type Way } from "./waiting-world.ts";

type Tenants = { evil: string; victim: string; evilCookie: string; evilToken: string; victimCookie: string };

const createTwo = async (...given: Parameters<typeof createWaitingWorld>) => {
	const [bounds, options] = given;
	const world = await createWaitingWorld(bounds, { ...options, plugins: [bearer()] });
	const [evil, victim] = [await world.newTenant("evil"), await world.newTenant("victim")];
	const [eve, ada] = [await world.signUp(evil, "eve@example.com"), await world.signUp(victim, "ada@example.com")];
	world.seen.byEngine = 0;
	const evilToken = decodeURIComponent(eve.cookies.get("better-auth.session_token") ?? "");
	return { ...world, tenants: { evil, victim, evilCookie: eve.header(), evilToken, victimCookie: ada.header() } };
};

const FORM = { "content-type": "application/x-www-form-urlencoded" };

/** Requests that the engine pins to evil. Their header, cookie or query alone names the victim, or no tenant. */
const WAYS: [string, (tenants: Tenants) => Way][] = [
	[
		"the query, against a header",
		({ evil, victim }) => ({ query: { tenantId: evil }, headers: { "x-tenant-id": victim } }),
	],
	[
		"the body, against a header",
		({ evil, victim }) => ({ body: { tenantId: evil }, headers: { "x-tenant-id": victim } }),
	],
	["the body, against the query", ({ evil, victim }) => ({ body: { tenantId: evil }, query: { tenantId: victim } })],
	[
		"an escaped name in the body, against a header",
		({ evil, victim }) => ({ body: `{"\\u0074enantId":"${evil}"}`, headers: { "x-tenant-id": victim } }),
	],
	[
		"a form, against a header",
		({ evil, victim }) => ({ body: `tenantId=${evil}`, headers: { ...FORM, "x-tenant-id": victim } }),
	],
	[
		"a long body, against a header",
		({ evil, victim }) => ({ body: { tenantId: evil, more: "x".repeat(15_000) }, headers: { "x-tenant-id": victim } }),
	],
	[
		"a body of unknown length, against a header",
		({ evil, victim }) => ({ body: { tenantId: evil }, chunked: true, headers: { "x-tenant-id": victim } }),
	],
	[
		"the query of a path with parameters, against a header",
		({ evil, victim }) => ({ path: "/sign-in/wait/7", query: { tenantId: evil }, headers: { "x-tenant-id": victim } }),
	],
	[
		"a header, against another tenant's session",
		({ evil, victimCookie }) => ({ headers: { "x-tenant-id": evil, cookie: victimCookie } }),
	],
	[
		"the query, against a made-up header",
		({ evil }) => ({
			query: { tenantId: evil },
			headers: { "x-tenant-id": `made-up-${Math.random()}`.replace(".", "") },
		}),
	],
	[
		"an OAuth state, against a header and the query",
		({ evil, victim }) => ({
			path: "/callback/wait/7",
			query: { state: withTag("state", evil), tenantId: victim },
			headers: { "x-tenant-id": victim },
		}),
	],
	[
		"a bearer token, against another tenant's session",
		({ evilToken, victimCookie }) => ({
			path: "/wait",
			headers: { authorization: `Bearer ${evilToken}`, cookie: victimCookie },
		}),
	],
	["a session", ({ evilCookie }) => ({ path: "/wait", headers: { cookie: evilCookie } })],
];

// threat 78
describe("a request counts for the tenant that it is pinned to", () => {
	it.each(WAYS)("if the tenant is named by %s", async (_, wayOf) => {
		const { tenants, ...world } = await createTwo({ perTenant: 2 });
		const { evil, victim } = tenants;
		const held = [world.send(wayOf(tenants)), world.send(wayOf(tenants))];
		expect(await world.untilInside(2)).toEqual([evil, evil]);

		const oneMore = await world.sendRejected(wayOf(tenants));
		const byHeader = await world.sendRejected({ headers: { "x-tenant-id": evil } });
		for (const { status, json, headers } of [oneMore, byHeader]) {
			expect([status, json.code]).toEqual([503, "TENANT_BUSY"]);
			expect(headers.get("retry-after")).toBe("1");
		}
		const served = [
			world.send({ headers: { "x-tenant-id": victim } }),
			world.send({ headers: { "x-tenant-id": victim } }),
		];
		expect(await world.untilInside(4)).toEqual([evil, evil, victim, victim]);

		world.letAllGo();
		for (const response of [...held, ...served]) expect((await response).status).toBe(200);
		const again = world.send(wayOf(tenants));
		expect(await world.untilInside(1)).toEqual([evil]);
		world.letAllGo();
		expect((await again).json).toEqual({ tenantId: evil });
	});

	it("counts once per tenant, in whatever way the tenant is named", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: WAYS.length });
		const held = WAYS.map(([, wayOf]) => world.send(wayOf(tenants)));
		expect(new Set(await world.untilInside(WAYS.length))).toEqual(new Set([tenants.evil]));
		for (const [name, wayOf] of WAYS) {
			const { status, json } = await world.sendRejected(wayOf(tenants));
			expect([name, status, json.code]).toEqual([name, 503, "TENANT_BUSY"]);
		}
		world.letAllGo();
		for (const response of held) expect((await response).status).toBe(200);
	});

	it("does not count for the tenant in the header if the session belongs to another", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 1 });
		const { victim, evilCookie } = tenants;
		const refused = Array.from({ length: 20 }, () =>
			world.send({ path: "/wait", headers: { cookie: evilCookie, "x-tenant-id": victim } }),
		);
		const served = world.send({ headers: { "x-tenant-id": victim } });
		for (const response of refused) {
			const { status, json } = await response;
			expect([status, json.code]).toEqual([403, "SESSION_TENANT_MISMATCH"]);
		}
		expect(await world.untilInside(1)).toEqual([victim]);
		world.letAllGo();
		expect((await served).status).toBe(200);
	});

	it("is rejected before the engine sees it, if many arrive at once", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 3 });
		const { evil, victim } = tenants;
		const ways: Way[] = [{ headers: { "x-tenant-id": evil } }, { body: { tenantId: evil } }];
		const crowd = Array.from({ length: 60 }, (_, n) => world.send(ways[n % 2] ?? {}));
		const served = world.send({ headers: { "x-tenant-id": victim } });
		expect((await world.untilInside(4)).toSorted()).toEqual([evil, evil, evil, victim].toSorted());
		expect(world.seen.byEngine).toBe(4);
		world.letAllGo();
		const statuses = (await Promise.all(crowd)).map(({ status }) => status);
		expect(statuses.filter((status) => status === 503)).toHaveLength(57);
		expect((await served).status).toBe(200);
	});
});

// threat 63
describe("requests of one tenant", () => {
	/** Turns end only when their requests do, so that no result depends on time. */
	const stopTime = () => vi.spyOn(performance, "now").mockReturnValue(0);
	afterEach(() => {
		vi.restoreAllMocks();
	});

	/** Lets requests go as they get inside, until all have a response. */
	const finish = async (
		world: Pick<Awaited<ReturnType<typeof createTwo>>, "letAllGo">,
		sent: Promise<{ status: number }>[],
	): Promise<number[]> => {
		const all = Promise.all(sent);
		let isOver = false;
		void all.then(() => {
			isOver = true;
		});
		const letGo = () => {
			world.letAllGo();
			return isOver;
		};
		await expect.poll(letGo, { interval: 5, timeout: 60_000 }).toBe(true);
		return (await all).map(({ status }) => status);
	};

	it("wait for their turn before the engine sees them, and delay no other tenant", async () => {
		stopTime();
		const { tenants, ...world } = await createTwo({ runningPerTenant: 1 });
		const { evil, victim } = tenants;
		const sent = Array.from({ length: 8 }, () => world.send({ headers: { "x-tenant-id": evil } }));
		sent.push(world.send({ headers: { "x-tenant-id": victim } }));
		expect((await world.untilInside(2)).toSorted()).toEqual([evil, victim].toSorted());
		expect(world.seen.byEngine).toBe(2);
		expect(new Set(await finish(world, sent))).toEqual(new Set([200]));
	});

	it("do not use up the limit of requests without a tenant while they wait", async () => {
		stopTime();
		const { tenants, ...world } = await createTwo({ perTenant: 20, runningPerTenant: 1, others: 2 });
		const { evil, victim } = tenants;
		const sent = [world.send({ headers: { "x-tenant-id": evil } })];
		await world.untilInside(1);
		for (const served of [1, 2]) {
			sent.push(world.send({ headers: { "x-tenant-id": evil } }));
			const answer = await world.send({ path: "/get-session", headers: { "x-tenant-id": victim } });
			expect([served, answer.status]).toEqual([served, 200]);
		}
		// waiting has a limit of its own
		const oneMore = await world.sendRejected({ headers: { "x-tenant-id": evil } });
		expect([oneMore.status, oneMore.json.code]).toEqual([503, "TENANT_BUSY"]);
		expect(await finish(world, sent)).toEqual([200, 200, 200]);
	});

	it("give every place back", async () => {
		stopTime();
		const { tenants, ...world } = await createTwo({ perTenant: 20, runningPerTenant: 1, others: 2 });
		const way = { headers: { "x-tenant-id": tenants.evil } };
		for (const round of [1, 2, 3]) {
			const sent = [world.send(way)];
			await world.untilInside(1);
			sent.push(world.send(way));
			expect([round, await finish(world, sent)]).toEqual([round, [200, 200]]);
		}
		// both places are free: none was kept, and none was given back twice
		const held = [world.send({}), world.send({ headers: { cookie: tenants.evilCookie } })];
		expect(await world.untilInside(2)).toEqual([PLATFORM, PLATFORM]);
		expect((await world.sendRejected({})).status).toBe(503);
		expect(await finish(world, held)).toEqual([200, 200]);
	});

	it("count for the tenant of `runWithTenant`, whatever they name", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 2 });
		const { evil, victim } = tenants;
		const way = { headers: { "x-tenant-id": victim } };
		const inEvil = (sent: Way) => runWithTenant(evil, () => world.send(sent));
		const held = [world.send(way), world.send(way)];
		expect(await world.untilInside(2)).toEqual([victim, victim]);
		held.push(inEvil(way), inEvil({ path: "/sign-in/wait/7" }));
		expect(await world.untilInside(4)).toEqual([victim, victim, evil, evil]);
		for (const sent of [way, { path: "/sign-in/wait/7" }])
			expect((await runWithTenant(evil, () => world.sendRejected(sent))).json.code).toBe("TENANT_BUSY");
		world.letAllGo();
		for (const response of held) expect((await response).status).toBe(200);
	});

	it("wait also if only Better Auth can tell their tenant", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 2, runningPerTenant: 1 });
		const way = { path: "/sign-in/wait/7", query: { tenantId: tenants.evil } };
		const held = [world.send(way), world.send(way)];
		// after 50 ms, the first one no longer holds up the second
		expect(await world.untilInside(2)).toEqual([tenants.evil, tenants.evil]);
		expect((await world.sendRejected(way)).status).toBe(503);
		world.letAllGo();
		for (const response of held) expect((await response).status).toBe(200);
	});
});

// threat 78
describe("a request without a tenant", () => {
	it("counts for no tenant until its tenant is decided, and all such requests have one limit", async () => {
		let release = () => {};
		const released = new Promise<void>((resolve) => {
			release = resolve;
		});
		let undecided = 0;
		const resolveTenantId = async ({ headers }: { headers?: Headers | undefined }) => {
			if (!headers?.has("x-slow")) return null;
			undecided += 1;
			await released;
			return null;
		};
		const { tenants, ...world } = await createTwo({ perTenant: 1, others: 3 }, { tenantAuth: { resolveTenantId } });
		const slow = (tenant: string) => world.send({ headers: { "x-slow": "1", "x-tenant-id": tenant } });
		const made = [slow("made-up-1"), slow("made-up-1")];
		await expect.poll(() => undecided).toBe(2);
		const served = world.send({ headers: { "x-tenant-id": tenants.victim } });
		expect(await world.untilInside(1)).toEqual([tenants.victim]);
		made.push(slow("made-up-3"));
		await expect.poll(() => undecided).toBe(3);
		const { status, json, headers } = await world.sendRejected({ headers: { "x-tenant-id": tenants.evil } });
		expect([status, json.code, headers.get("retry-after")]).toEqual([503, "SERVER_BUSY", "1"]);
		release();
		const codes = await Promise.all(made.map(async (response) => (await response).json.code));
		expect(codes.filter((code) => code === "TENANT_NOT_FOUND").length).toBeGreaterThan(0);
		world.letAllGo();
		expect((await served).status).toBe(200);
	});

	it("counts for the platform, which has its own limit", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 1, others: 2 });
		const held = [world.send({}), world.send({ headers: { cookie: tenants.evilCookie } })];
		expect(await world.untilInside(2)).toEqual([PLATFORM, PLATFORM]);
		const oneMore = await world.sendRejected({});
		expect([oneMore.status, oneMore.json.code]).toEqual([503, "SERVER_BUSY"]);
		held.push(world.send({ headers: { "x-tenant-id": tenants.victim } }));
		expect(await world.untilInside(3)).toEqual([PLATFORM, PLATFORM, tenants.victim]);
		world.letAllGo();
		for (const response of held) expect((await response).status).toBe(200);
	});
});

describe("a slot", () => {
	it("is released if the engine throws", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 1 });
		let fails = true;
		const handler = limitConcurrency(
			{
				...world.auth,
				handler: async (request) => {
					const response = await world.auth.handler(request);
					if (fails) throw new Error("broken");
					return response;
				},
			},
			{ perTenant: 1, others: 1 },
		);
		const ask = (tenant: string) =>
			handler(new Request(`${ORIGIN}/api/auth/get-session`, { headers: { "x-tenant-id": tenant } }));
		for (const tenant of [tenants.evil, tenants.evil, tenants.victim])
			await expect(ask(tenant)).rejects.toThrow("broken");
		fails = false;
		expect((await ask(tenants.evil)).status).toBe(200);
	});

	it("is not taken while the body is still arriving", async () => {
		const { tenants, ...world } = await createTwo({ perTenant: 1, others: 1 });
		const pull = async (controller: ReadableStreamDefaultController): Promise<void> => {
			await sent;
			controller.enqueue(Buffer.from("{}"));
			controller.close();
		};
		let finish = () => {};
		const sent = new Promise<void>((resolve) => {
			finish = resolve;
		});
		const headers = { origin: ORIGIN, "content-type": "application/json", "x-tenant-id": tenants.evil };
		const init = { method: "POST", headers, body: new ReadableStream({ pull }), duplex: "half" };
		const slow = world.handler(new Request(`${ORIGIN}/api/auth/sign-in/wait`, init));
		const quick = world.send({ headers: { "x-tenant-id": tenants.evil } });
		expect(await world.untilInside(1)).toEqual([tenants.evil]);
		world.letAllGo();
		expect((await quick).status).toBe(200);
		finish();
		expect(await world.untilInside(1)).toEqual([tenants.evil]);
		world.letAllGo();
		expect((await slow).status).toBe(200);
	});

	it("stays taken while the request calls another instance in the same process", async () => {
		const other = await createWorld();
		const elsewhere = await other.newTenant();
		const askElsewhere = async () => {
			await other.auth.handler(
				new Request(`${ORIGIN}/api/auth/get-session`, { headers: { "x-tenant-id": elsewhere } }),
			);
			return null;
		};
		// before and after its tenant is decided
		const { tenants, ...world } = await createTwo(
			{ perTenant: 1, meanwhile: askElsewhere },
			{ tenantAuth: { resolveTenantId: askElsewhere } },
		);
		const held = world.send({ headers: { "x-tenant-id": tenants.evil } });
		expect(await world.untilInside(1)).toEqual([tenants.evil]);
		expect((await world.sendRejected({ headers: { "x-tenant-id": tenants.evil } })).status).toBe(503);
		world.letAllGo();
		expect((await held).status).toBe(200);
	});

	it("is rejected with an invalid limit, and the error names the option", async () => {
		const { auth } = await createWorld();
		expect(() => limitConcurrency(auth, { perTenant: 0 })).toThrow("perTenant");
		expect(() => limitConcurrency(auth, { runningPerTenant: 0 })).toThrow("runningPerTenant");
		expect(() => limitConcurrency(auth, { others: Number.NaN })).toThrow("others");
	});
});
