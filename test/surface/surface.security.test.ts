import { describe, expect, it } from "vitest";
import { endpointKind } from "../../src/scope/endpoint-kind.ts";
import type { Browser } from "../support/browser.ts";
import { createSurface, endpointsOf } from "./engine.ts";
import { furnish, MARK, type Side } from "./side.ts";
import { type Input, type Row, SERVER_ONLY, SURFACE } from "./surface.ts";
import { changedTables, createSweep, leaksIn, type Outcome, rowsOf, rowsOutside, secretsOf } from "./sweep.ts";

type Step = { path: string; method: "GET" | "POST"; row: Row };

/** The tenants A and B and the platform, alike but for their secrets, and one step for each endpoint and method. */
const furnished = async () => {
	const world = await createSurface();
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	await world.database.query(`update "tenant" set "name" = '${MARK}-tenant' where "id" = '${b}'`);
	const sideA = await furnish(world, { tenant: a, label: "acme", marked: false });
	const sideB = await furnish(world, { tenant: b, label: "globex", marked: true });
	const platform = await furnish(world, { tenant: undefined, label: "platform", marked: true });
	const sweep = await createSweep(world);
	const secrets = secretsOf(rowsOutside(sweep.base, a), rowsOf(sweep.base, a));
	const steps = endpointsOf(world).flatMap(({ path, methods }) =>
		methods.flatMap((method): Step[] => {
			const row = path === undefined ? undefined : SURFACE[path];
			return path !== undefined && row ? [{ path, method, row }] : [];
		}),
	);
	/** Nothing outside A may change, and nothing of it may be told to anybody. */
	const problems = (outcome: Outcome): string[] => [
		...changedTables(rowsOutside(outcome.before, a), rowsOutside(outcome.after, a)).map((name) => `changed ${name}`),
		...leaksIn(outcome, secrets).map((leak) => `told ${leak}`),
		...sweep.brokenRows(outcome.after),
		...(outcome.status >= 500 ? [`answered ${outcome.status}`] : []),
	];
	/** A session says its tenant by itself; whatever does not look at sessions needs the hint. */
	const hintFor = ({ kind }: Row): string | undefined => (kind === "member" ? undefined : a);
	return { a, b, sideA, sideB, platform, sweep, steps, problems, secrets, hintFor };
};

/** Who calls a side's endpoint: its admin, in the browser that began a social sign-in, or whom the row names. */
const callerOf = (side: Side, { caller }: Row): Browser => {
	if (caller) return caller(side);
	const both = side.flow.copy();
	for (const [name, value] of side.boss.browser.cookies) both.cookies.set(name, value);
	return both;
};

/** What can be said of a neighbour: of the person all tenants share, and of one that only he has. Each request once. */
const foreignInputs = ({ input }: Row, sides: Side[]): { side: Side; input: Input }[] => {
	const found = new Map<string, { side: Side; input: Input }>();
	for (const side of sides) {
		for (const named of [side.person, side.ownPerson]) {
			const made = input(side, named);
			found.set(JSON.stringify(made), { side, input: made });
		}
	}
	return [...found.values()];
};

const NAMES = ["boss", "member", "organizationId", "memberId", "teamId", "roleId"] as const;

/** One's own request with one of the neighbour's names in it, and the neighbour's with one of one's own. */
const mixedInputs = ({ input }: Row, own: Side, other: Side): Input[] => {
	const found = new Map<string, Input>();
	for (const name of NAMES) {
		for (const [most, one] of [
			[own, other],
			[other, own],
		] as const) {
			const made = input({ ...most, [name]: one[name] }, most.person);
			found.set(JSON.stringify(made), made);
		}
	}
	for (const pure of [own, other]) found.delete(JSON.stringify(input(pure, pure.person)));
	return [...found.values()];
};

/** One browser may be signed in to several tenants; these are the cookies of the sessions that are not active. */
const otherSessions = (active: Browser, other: Browser): Browser => {
	const both = active.copy();
	for (const [name, value] of other.cookies) if (name.includes("_multi-")) both.cookies.set(name, value);
	return both;
};

/** Where the sweep gets a new session; the rest of the engine's ways need a provider's signature. */
const MAKE_SESSIONS = [
	"/admin/impersonate-user",
	"/change-password",
	"/device/token",
	"/email-otp/verify-email",
	"/magic-link/verify",
	"/phone-number/verify",
	"/sign-in/anonymous",
	"/sign-in/email",
	"/sign-in/email-otp",
	"/sign-in/phone-number",
	"/sign-in/username",
	"/sign-up/email",
	"/siwe/verify",
	"/tenant/callback/:id",
	"/tenant/sign-in/email",
	"/tenant/sign-up/email",
	"/two-factor/disable",
	"/two-factor/verify-backup-code",
	"/two-factor/verify-otp",
	"/two-factor/verify-totp",
	"/verify-email",
];

describe("the engine's surface", () => {
	it("has a row for every endpoint of the running engine, of the kind it says, and no row without an endpoint", async () => {
		const endpoints = endpointsOf(await createSurface());
		const paths = endpoints.flatMap(({ path }) => path ?? []);
		expect([...new Set(paths)].sort()).toEqual(Object.keys(SURFACE).sort());
		expect(endpoints.flatMap(({ name, path }) => (path === undefined ? name : [])).sort()).toEqual(SERVER_ONLY);
		for (const [path, { kind }] of Object.entries(SURFACE)) expect([path, endpointKind(path)]).toEqual([path, kind]);
	});

	// threats 40 and 65
	it("answers a tenant's own people as the bare engine does, and every session it makes is of its user's tenant", async () => {
		const { sideA, sweep, steps, problems, hintFor } = await furnished();
		const bare = await createSurface({ bare: true });
		const alone = await furnish(bare, { tenant: undefined, label: "acme", marked: false, bare: true });
		const bareSweep = await createSweep(bare);
		const found: unknown[] = [];
		const newSessions = new Set<string>();
		for (const { path, method, row } of steps) {
			for (const waiting of path.startsWith("/two-factor/") ? [false, true] : [false]) {
				const browserOf = (side: Side) => (waiting ? side.waiting : callerOf(side, row));
				const outcome = await sweep.send(path, {
					method,
					input: row.input(sideA, sideA.person),
					browser: browserOf(sideA),
					hint: hintFor(row),
				});
				found.push(...problems(outcome).map((problem) => [method, path, problem]));
				const known = new Set(outcome.before.session?.map(({ id }) => id));
				if (outcome.after.session?.some(({ id }) => !known.has(id))) newSessions.add(path);
				if (path.startsWith("/tenant/")) continue;
				const input = row.input(alone, alone.person);
				const { status } = await bareSweep.send(path, { method, input, browser: browserOf(alone) });
				if (status !== outcome.status) found.push([method, path, `${outcome.status} instead of ${status}`]);
			}
		}
		expect(found).toEqual([]);
		expect([...newSessions].sort()).toEqual(MAKE_SESSIONS);
	});

	// threats 2 and 65
	it("gives a tenant's admin nothing of a neighbour or the platform, whatever ids, tokens and addresses he names", async () => {
		const { sideA, sideB, platform, sweep, steps, problems, hintFor } = await furnished();
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			const foreign = foreignInputs(row, [sideB, platform]).map(({ input }) => input);
			for (const input of [...foreign, ...mixedInputs(row, sideA, sideB)]) {
				const browser = otherSessions(callerOf(sideA, row), sideB.boss.browser);
				const outcome = await sweep.send(path, { method, input, browser, hint: hintFor(row) });
				found.push(...problems(outcome).map((problem) => [method, path, input, problem]));
			}
		}
		expect(found).toEqual([]);
	});

	// threat 2
	it("gives a stranger in one tenant nothing of another, whatever ids, tokens and addresses he names", async () => {
		const { a, sideB, platform, sweep, steps, problems } = await furnished();
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			for (const { side, input } of foreignInputs(row, [sideB, platform])) {
				// also with the cookie of a sign-in that waits for its second factor over there
				const browser = path.startsWith("/two-factor/") ? side.waiting : undefined;
				const outcome = await sweep.send(path, { method, input, browser, hint: a });
				found.push(...problems(outcome).map((problem) => [method, path, input, problem]));
			}
		}
		expect(found).toEqual([]);
	});

	// threat 30
	it("refuses a session with a hint for another tenant, in header, query and body, and changes nothing", async () => {
		const { a, b, sideA, sweep, steps, problems, secrets } = await furnished();
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			const input = row.input(sideA, sideA.person);
			const hinted: [Input, string | undefined][] = [
				[input, b],
				[input, "platform"],
				[{ ...input, query: { ...input.query, tenantId: b } }, undefined],
				...(method === "POST"
					? [[{ ...input, body: { ...input.body, tenantId: b } }, undefined] as [Input, undefined]]
					: []),
			];
			for (const [sent, hint] of hinted) {
				const outcome = await sweep.send(path, { method, input: sent, browser: callerOf(sideA, row), hint });
				const { before, after, status, code } = outcome;
				const add = (problem: string) => found.push([method, path, hint, problem]);
				if (row.kind === "member") {
					if (status !== 403 || code !== "SESSION_TENANT_MISMATCH") add(`answered ${status} ${code}`);
					for (const name of changedTables(before, after)) add(`changed ${name}`);
				}
				// the tenant to manage is named by the hint, and the caller stays who he is
				if (row.kind === "management" || row.kind === "member") problems(outcome).forEach(add);
				// the others follow the hint, where a session of A is worth nothing and A is not touched
				else {
					// but for callbacks, which go by their state and no hint
					const own = row.kind === "callback" ? [] : changedTables(rowsOf(before, a), rowsOf(after, a));
					for (const name of own) add(`changed ${name} of A`);
					for (const leak of leaksIn(outcome, secrets)) add(`told ${leak}`);
					sweep.brokenRows(after).forEach(add);
					if (status >= 500) add(`answered ${status}`);
				}
			}
		}
		expect(found).toEqual([]);
	});

	it("follows a neighbour's mail link or provider's redirect to him alone, whoever is signed in", async () => {
		const { b, sideA, sideB, sweep, steps } = await furnished();
		const found: unknown[] = [];
		for (const { path, method, row } of steps.filter(({ row }) => row.kind === "link" || row.kind === "callback")) {
			const input = row.input(sideB, sideB.person);
			const { before, after, status } = await sweep.send(path, { method, input, browser: sideA.boss.browser });
			const changed = changedTables(rowsOutside(before, b), rowsOutside(after, b));
			if (changed.length > 0 || status >= 500) found.push([method, path, status, changed]);
			found.push(...sweep.brokenRows(after));
		}
		expect(found).toEqual([]);
	});

	it("is watched closely enough: what a neighbour does himself is seen", async () => {
		const { sideB, sweep, problems } = await furnished();
		const seen = async (path: string, method: "GET" | "POST") => {
			const input = SURFACE[path]?.input(sideB, sideB.person) ?? {};
			const outcome = await sweep.send(path, { method, input, browser: sideB.boss.browser });
			return problems(outcome).join("\n");
		};
		expect(await seen("/update-user", "POST")).toContain("changed user");
		expect(await seen("/organization/delete", "POST")).toContain("changed organization");
		expect(await seen("/organization/get-full-organization", "GET")).toContain(`told ${MARK}-globex-organization`);
		expect(await seen("/jwks", "GET")).toContain("told ");
		expect(await seen("/token", "GET")).toContain(`told ${MARK}`);
	});
});
