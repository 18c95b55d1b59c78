import type { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { ownRequest } from "./attackers.ts";
import { createSurface, endpointsOf } from "./engine.ts";
import { furnish, type Side } from "./side.ts";
import { SURFACE } from "./surface.ts";
import { changedTables, createSweep } from "./sweep.ts";

/** What a session that lacks a second factor can do and an outsider cannot. */
const ALLOWED = [
	"/tenant/second-factor",
	"/two-factor/enable",
	"/two-factor/send-otp",
	"/two-factor/verify-otp",
	"/two-factor/verify-totp",
];

/** Where a first factor gives a session that lacks the second. The engine's other ways need a provider's signature. */
const ASKS = [
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
	"/tenant/sign-in/email",
	"/tenant/sign-up/email",
	"/verify-email",
];

/** Where a verified second factor gives a complete session. The sweep's TOTP is that of another user than the one who waits. */
const COMPLETES = ["/two-factor/verify-backup-code", "/two-factor/verify-otp"];

const createRequiring = async () => {
	const world = await createSurface();
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const side = await furnish(world, { tenant: a, label: "acme", marked: false });
	await furnish(world, { tenant: b, label: "globex", marked: true });
	const body = { tenantId: a, policy: { secondFactor: "required" } };
	expect((await world.call("/tenant/policy/update", { operator: true, body })).status).toBe(200);
	const sweep = await createSweep(world);
	const steps = endpointsOf(world).flatMap(({ path, methods }) => {
		const row = path === undefined ? undefined : SURFACE[path];
		return path !== undefined && row ? methods.map((method) => ({ path, row, method })) : [];
	});
	return { world, a, b, side, sweep, steps };
};

/** The cookies of a user who has none of a session. */
const outsider = (side: Side): Browser => side.flow.copy();
const incomplete = (side: Side): Browser => {
	const browser = side.flow.copy();
	for (const [name, value] of side.boss.browser.cookies) browser.cookies.set(name, value);
	return browser;
};

describe("a tenant that requires a second factor, on every endpoint of the engine and its plugins", () => {
	// threat 117
	it("treats a session that lacks it like none", async () => {
		const { a, side, sweep, steps } = await createRequiring();
		const found: unknown[] = [];
		const allowed = new Set<string>();
		let compared = 0;
		for (const { path, row, method } of steps) {
			// other credentials than a session, and other callers than the admin
			if (row.headers || row.caller || path === "/sign-out") continue;
			const request = { method, ...ownRequest(row, side, method), hint: a };
			const stranger = await sweep.send(path, { ...request, browser: outsider(side) });
			const outcome = await sweep.send(path, { ...request, browser: incomplete(side) });
			const [none, some] = [stranger, outcome].map(({ status, before, after }) =>
				JSON.stringify([status, changedTables(before, after).sort()]),
			);
			const isSaid = outcome.code === stranger.code || outcome.code === "SECOND_FACTOR_REQUIRED";
			compared += 1;
			if (none === some && isSaid) continue;
			if (ALLOWED.includes(path)) allowed.add(path);
			else found.push([method, path, none, some, outcome.code, outcome.text.slice(0, 200)]);
		}
		expect(found).toEqual([]);
		expect([...allowed].sort()).toEqual(ALLOWED);
		expect(compared).toBeGreaterThan(200);
	}, 240_000);

	// threat 117
	it("asks for it on every way to a session", async () => {
		const { a, side, sweep, steps } = await createRequiring();
		const [asks, completes] = [new Set<string>(), new Set<string>()];
		for (const { path, row, method } of steps) {
			const browser = path.startsWith("/two-factor/") ? side.waiting : (row.caller?.(side) ?? outsider(side));
			const outcome = await sweep.send(path, { method, ...ownRequest(row, side, method), browser, hint: a });
			const known = new Set(outcome.before.session?.map(({ id }) => id));
			const isNew = outcome.after.session?.some(({ id }) => !known.has(id));
			const isAsked = Boolean(outcome.json?.secondFactor) || outcome.location?.includes("second_factor=");
			if (isAsked) asks.add(path);
			else if (isNew) completes.add(path);
			if (isAsked) expect([path, outcome.headers.get("set-auth-jwt")]).toEqual([path, null]);
			if (isAsked && outcome.json)
				expect([path, outcome.json.user, outcome.json.session ?? undefined]).toEqual([path, undefined, undefined]);
		}
		expect([...asks].sort()).toEqual(ASKS);
		expect([...completes].sort()).toEqual(COMPLETES);
	}, 240_000);
});
