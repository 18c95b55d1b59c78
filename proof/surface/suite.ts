import { endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import type { Browser } from "test-kit/browser";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { callerOf, foreignRequests, mixedRequests, ownRequest, type Sent, withOtherSessions } from "./attackers.ts";
import { createSurface, type SurfaceOptions } from "./engine.ts";
import { createFurnished, type Furnished, NAME_OF_B } from "./furnished.ts";
import { createResults } from "./results.ts";
import type { Row } from "./row.ts";
import { furnish, MARK, type Side } from "./side.ts";
import { STRIPE } from "./stored-state.ts";
import { SURFACE } from "./surface.ts";
import { changedTables, createSweep, leaksIn, of, outside, rowsOf, secretsOf } from "./sweep.ts";

/** Endpoints where the sweep gets a new session; the engine's others need a provider's signature. */
const MAKE_SESSIONS = [
	"/admin/impersonate-user",
	"/change-password",
	"/device/token",
	"/email-otp/verify-email",
	"/magic-link/verify",
	"/passkey/verify-authentication",
	"/phone-number/verify",
	"/sign-in/anonymous",
	"/sign-in/email",
	"/sign-in/email-otp",
	"/sign-in/phone-number",
	"/sign-in/username",
	"/sign-up/email",
	"/siwe/verify",
	"/tenant/callback/:id",
	"/tenant/impersonate",
	"/tenant/sign-in/email",
	"/tenant/sign-up/email",
	"/two-factor/disable",
	"/two-factor/verify-backup-code",
	"/two-factor/verify-otp",
	"/two-factor/verify-totp",
	"/verify-email",
];

// thousands of calls: ten seconds for each test on two idle cores, a minute on busy ones
// only ends what hangs
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });

/** Where a provider redirects users to: the state or the URL determines the tenant. */
const goesElsewhere = ({ kind }: Row): boolean => kind === "callback" || kind === "addressed";

type Attempt = Sent & { browser: Browser | undefined };

/** Every endpoint, called by users of its own tenant and attacked from another, on one database. */
export const sweepSurface = (title: string, options: SurfaceOptions): void => {
	describe(title, () => {
		const closing: (() => Promise<void>)[] = [];
		const results = createResults(options.redis ? `${options.database}-redis` : (options.database ?? "sqlite"));
		let it_: Furnished;
		beforeAll(async () => {
			it_ = await createFurnished({ ...options, onFinished: (close) => closing.push(close) });
		});
		afterAll(async () => {
			results.write();
			for (const close of closing.reverse()) await close();
		});
		/** All problems, and where they are. */
		const expectNone = (found: unknown[]): void => {
			results.addLeaks(found.length);
			expect(found).toEqual([]);
		};

		// threats 40 and 65
		it("responds to a tenant's own users like Better Auth alone, and creates sessions in the user's tenant only", async () => {
			const { sideA, sweep, steps, problems, hintFor } = it_;
			const bare = await createSurface({ ...options, bare: true });
			const alone = await furnish(bare, { tenant: undefined, label: "acme", marked: false, bare: true });
			const bareSweep = await createSweep(bare);
			const found: unknown[] = [];
			const newSessions = new Set<string>();
			for (const { path, method, row } of steps) {
				for (const waiting of path.startsWith("/two-factor/") ? [false, true] : [false]) {
					const browserOf = (side: Side) => (waiting ? side.waiting : callerOf(side, row));
					const own = { ...ownRequest(row, sideA, method), browser: browserOf(sideA), hint: hintFor(row) };
					const outcome = await sweep.send(path, { method, ...own });
					results.note("own", method, path, outcome);
					found.push(...problems(outcome, row).map((problem) => [method, path, problem]));
					const known = new Set(outcome.before.session?.map(({ id }) => id));
					if (outcome.after.session?.some(({ id }) => !known.has(id))) newSessions.add(path);
					if (path.startsWith("/tenant/") || row.kind === "addressed") continue;
					const { status } = await bareSweep.send(path, {
						method,
						...ownRequest(row, alone, method),
						browser: browserOf(alone),
					});
					if (status !== outcome.status)
						found.push([method, path, `${outcome.status} instead of ${status}`, outcome.text]);
				}
			}
			expectNone(found);
			expect([...newSessions].sort()).toEqual(MAKE_SESSIONS);
			// a tenant's policy must know how users sign in there; operators do not sign in
			const unnamed = MAKE_SESSIONS.filter((path) => endpointOf(path).signsInWith === null);
			expect(unnamed).toEqual(["/tenant/impersonate"]);
		});

		// threats 2 and 65
		it("reveals nothing of another tenant or the platform to a tenant's admin, for any ids, tokens and addresses", async () => {
			const { sideA, sideB, platform, sweep, steps, problems, hintFor } = it_;
			const found: unknown[] = [];
			for (const { path, method, row } of steps) {
				const browser = withOtherSessions(row, callerOf(sideA, row), sideB.boss.browser);
				const foreign = foreignRequests(row, [sideB, platform], method);
				for (const { input, headers } of [...foreign, ...mixedRequests(row, sideA, sideB, method)]) {
					const outcome = await sweep.send(path, { method, input, headers, browser, hint: hintFor(row) });
					results.note("foreign", method, path, outcome);
					found.push(...problems(outcome, row).map((problem) => [method, path, input, problem]));
				}
			}
			expectNone(found);
		});

		// threat 2
		it("reveals nothing of another tenant to an outsider, for any ids, tokens, keys and addresses", async () => {
			const { a, sideB, platform, sweep, steps, problems } = it_;
			const found: unknown[] = [];
			for (const { path, method, row } of steps) {
				const foreign = foreignRequests(row, [sideB, platform], method);
				const attempts = foreign.map(
					({ side, input, headers }): Attempt => ({
						input,
						headers,
						// also with the cookie of a sign-in or passkey challenge in the other tenant
						browser: path.startsWith("/two-factor/") ? side.waiting : row.caller?.(side),
					}),
				);
				const { input } = ownRequest(row, sideB, method);
				const credentials: Record<string, string>[] = [
					{ "x-api-key": sideB.apiKey.key },
					{ authorization: `Bearer ${sideB.boss.token}` },
				];
				// a session or key of the other tenant may manage that tenant, and a redirect leads to its own flow
				const isOwnRight = row.kind === "management" || goesElsewhere(row);
				const others = isOwnRight
					? []
					: credentials.map((headers): Attempt => ({ input, headers, browser: undefined }));
				for (const attempt of [...attempts, ...others]) {
					const outcome = await sweep.send(path, { method, ...attempt, hint: a });
					results.note("foreign", method, path, outcome);
					found.push(...problems(outcome, row).map((problem) => [method, path, attempt.input, problem]));
				}
			}
			expectNone(found);
		});

		// threat 30
		it("refuses a session with a hint for another tenant, in header, query and body, and changes nothing", async () => {
			const { a, b, sideA, sweep, steps, problems, secrets } = it_;
			const found: unknown[] = [];
			for (const { path, method, row } of steps) {
				const { input, headers } = ownRequest(row, sideA, method);
				const inBody: Sent[] =
					method === "GET" || method === "DELETE" || typeof input.body === "string"
						? []
						: [
								{
									input: input.form
										? { ...input, form: { ...input.form, tenantId: b } }
										: { ...input, body: { ...input.body, tenantId: b } },
								},
							];
				const hinted: (Sent & { hint?: string })[] = [
					{ input, hint: b },
					{ input, hint: "platform" },
					{ input: { ...input, query: { ...input.query, tenantId: b } } },
					...inBody,
				];
				for (const { input: sent, hint } of hinted) {
					const outcome = await sweep.send(path, { method, input: sent, headers, browser: callerOf(sideA, row), hint });
					results.note("conflicting", method, path, outcome);
					const { before, after, status, code } = outcome;
					const add = (problem: string) => found.push([method, path, hint, problem]);
					const isMember = row.kind === "member";
					if (isMember) {
						// SCIM errors have another shape
						const isExpected =
							path === "/get-session" ? status === 200 && !code : status === 403 && code === "SESSION_TENANT_MISMATCH";
						if (!isExpected) add(`answered ${status} ${code}`);
						for (const name of changedTables(before, after)) add(`changed ${name}`);
					}
					// the hint names the tenant to manage, and the caller does not change
					if (row.kind === "management" || isMember) problems(outcome, row).forEach(add);
					// the others follow the hint, where a session of A is not valid and A is not changed
					else {
						// except for callbacks, which use their state or URL and no hint
						const own = goesElsewhere(row) ? [] : changedTables(before, after, of(a));
						for (const name of own) add(`changed ${name} of A`);
						const told = row.publishesName ? outcome.told.replaceAll(NAME_OF_B, "") : outcome.told;
						for (const leak of leaksIn({ ...outcome, told }, secrets)) add(`told ${leak}`);
						sweep.brokenRows(after).forEach(add);
						if (status >= 500 && status !== row.fails) add(`answered ${status}`);
					}
				}
			}
			expectNone(found);
		});

		// threat 34
		it("assigns a request that names no tenant to the platform, or to the tenant of its credential", async () => {
			const { a, b, sideB, sweep, steps } = it_;
			const secretsOfB = secretsOf(rowsOf(sweep.base, of(b)), rowsOf(sweep.base, of("platform")));
			const found: unknown[] = [];
			for (const { path, method, row } of steps) {
				const { input, headers } = ownRequest(row, sideB, method);
				const browser = row.caller && row.kind === "open" ? row.caller(sideB) : undefined;
				const outcome = await sweep.send(path, { method, input, headers, browser });
				results.note("noTenant", method, path, outcome);
				const { before, after, status } = outcome;
				const add = (problem: string) => found.push([method, path, problem]);
				for (const name of changedTables(before, after, of(a))) add(`changed ${name} of A`);
				const follows = row.carriesCredential || row.kind === "link" || goesElsewhere(row);
				if (!follows) {
					for (const name of changedTables(before, after, of(b))) add(`changed ${name} of B`);
					for (const leak of leaksIn(outcome, secretsOfB)) add(`told ${leak}`);
				}
				sweep.brokenRows(after).forEach(add);
				if (status >= 500 && status !== row.fails) add(`answered ${status}`);
			}
			expectNone(found);
		});

		it("follows another tenant's mail link or provider's redirect to that tenant only, for any signed-in user", async () => {
			const { b, sideA, sideB, sweep, steps } = it_;
			const found: unknown[] = [];
			for (const { path, method, row } of steps.filter(({ row }) => row.kind === "link" || goesElsewhere(row))) {
				const { input } = ownRequest(row, sideB, method);
				const { before, after, status } = await sweep.send(path, { method, input, browser: sideA.boss.browser });
				const changed = changedTables(before, after, outside(b));
				if (changed.length > 0 || status >= 500) found.push([method, path, status, changed]);
				found.push(...sweep.brokenRows(after));
			}
			expectNone(found);
		});

		it("notices changes by another tenant itself, so the checks are strict enough", async () => {
			const { sideB, sweep, problems } = it_;
			const seen = async (path: string, method: "GET" | "POST" | "DELETE") => {
				const row = SURFACE[path];
				if (!row) throw new Error(`no row for ${path}`);
				const outcome = await sweep.send(path, {
					method,
					...ownRequest(row, sideB, method),
					browser: callerOf(sideB, row),
				});
				return problems(outcome).join("\n");
			};
			expect(await seen("/update-user", "POST")).toContain("changed user");
			expect(await seen("/organization/delete", "POST")).toContain("changed organization");
			expect(await seen("/organization/get-full-organization", "GET")).toContain(`told ${MARK}-globex-organization`);
			expect(await seen("/jwks", "GET")).toContain("told ");
			expect(await seen("/token", "GET")).toContain(`told ${MARK}`);
			expect(await seen("/scim/v2/Users/:userId", "DELETE")).toContain("changed scimUser");
			expect(await seen("/oauth2/delete-client", "POST")).toContain("changed oauthClient");
			expect(await seen("/oauth2/userinfo", "GET")).toContain("told ");
			expect(await seen("/stripe/webhook", "POST")).toContain("changed subscription");
		});

		// threat 43; runs last, because it leaves nothing to attack
		it("deletes a tenant with all data of its plugins, and nothing else", async () => {
			const { world, b, sweep } = it_;
			const answer = await world.call("/tenant/delete", { operator: true, body: { tenantId: b } });
			expect(answer.status).toBe(200);
			const after = await sweep.now();
			const left = Object.entries(rowsOf(after, of(b))).filter(([name, rows]) => name !== STRIPE && rows.length > 0);
			expect(left.map(([name]) => name)).toEqual([]);
			expect(changedTables(sweep.base, after, outside(b))).toEqual([]);
		});
	});
};
