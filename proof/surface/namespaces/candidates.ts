import { apiKey } from "@better-auth/api-key";
import { emailOTP } from "better-auth/plugins/email-otp";
import { composedWorld } from "test-kit/composed-world";
import { createWorld, PASSWORD } from "test-kit/world";
import { callerOf, ownRequest } from "../attackers.ts";
import { createSurface, endpointsOf } from "../engine.ts";
import { createFurnished } from "../furnished.ts";
import { furnish } from "../side.ts";
import { SURFACE } from "../surface.ts";
import { processMemory } from "./from-packages.ts";
import { carriedValues, pathParameters, requestHooks, uniqueFields } from "./from-schema.ts";
import { tokenClaims } from "./from-tokens.ts";
import { createWatch, type Watch } from "./watch.ts";

/** All identifiers that the engine and all plugins show while running, as `<source> <identifier>`. */
export const collectCandidates = async (): Promise<{ found: string[]; version: string }> => {
	const watch = createWatch();
	const world = await sweepOwn(watch);
	// beside the plain one, because the companions close endpoints of the engine in tenants
	const companions = await sweepOwn(watch, true);
	await furnishStorage(watch);
	await countInStorage(watch);
	const { tables, options, version } = await world.auth.$context;
	const counted = await createWorld({ engine: { rateLimit: { enabled: true, storage: "database" } } });
	const found = [
		...new Set([
			...uniqueFields(tables),
			...uniqueFields((await counted.auth.$context).tables),
			...uniqueFields((await companions.auth.$context).tables),
			...pathParameters(endpointsOf(world)),
			...pathParameters(endpointsOf(companions)),
			...carriedValues(SURFACE),
			...requestHooks(options.plugins ?? []),
			...requestHooks((await companions.auth.$context).options.plugins ?? []),
			...[...watch.cookies].map((name) => `cookie ${name.replace(/^better-auth\./, "")}`),
			...[...watch.verifications].map((identifier) => `verification ${identifier}`),
			...[...watch.keys].map((key) => `storage ${key.replace(/^tenant:[\w-]+:/, "")}`),
			...tokenClaims(watch.tokens),
			...processMemory(),
		]),
	].sort();
	return { found, version };
};

/** Two tenants and the platform, with every endpoint called by users of one tenant. */
const sweepOwn = async (watch: Watch, companions = false) => {
	const { world, sweep, steps, sideA, hintFor } = await createFurnished({ watching: [watch.plugin], companions });
	for (const { path, method, row } of steps) {
		const own = { ...ownRequest(row, sideA, method), browser: callerOf(sideA, row), hint: hintFor(row) };
		const outcome = await sweep.send(path, { method, ...own });
		watch.look(outcome.told);
		for (const { identifier } of outcome.after.verification ?? []) watch.verifications.add(String(identifier));
	}
	// tokens that a side has are in no response
	watch.look(JSON.stringify([sideA, world.outbox]));
	return world;
};

/** The same users with sessions and verifications in a secondary storage. */
const furnishStorage = async (watch: Watch): Promise<void> => {
	const world = await createSurface({ storage: watch.storage });
	for (const label of ["acme", "globex"])
		await furnish(world, { tenant: await world.newTenant(label), label, marked: false });
};

/** Counters, and values that the storage contains only on request. */
const countInStorage = async (watch: Watch): Promise<void> => {
	const plugins = [apiKey({ storage: "secondary-storage" }), emailOTP({ sendVerificationOTP: async () => {} })];
	const { a, ok, call, signUp } = await composedWorld(plugins, {
		engine: {
			secondaryStorage: watch.storage,
			rateLimit: { enabled: true, storage: "secondary-storage", customRules: { "/api-key/*": false } },
			advanced: { ipAddress: { ipAddressHeaders: ["x-client-ip"] } },
		},
	});
	const browser = await signUp(a, "ada@example.com");
	const stranger = { tenant: a, headers: { "x-client-ip": "192.0.2.1" } };
	const email = "ada@example.com";
	await ok("/sign-in/email", { ...stranger, body: { email, password: PASSWORD } });
	await ok("/api-key/create", { browser, body: { name: "key" } });
	for (const by of [stranger, { ...stranger, browser }])
		await ok("/email-otp/send-verification-otp", { ...by, body: { email, type: "sign-in" } });
	await call("/sign-in/email-otp", { ...stranger, body: { email, otp: "000000" } });
};
