import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, refused, signedInShape } from "../expect.ts";
import type { Browser } from "../http.ts";
import { askSignIn, askSignUp, newPerson, type Place, type Tenant, twoTenants } from "../place.ts";

const rulesShape = z.record(z.string(), z.unknown());
const policyShape = z.looseObject({ tenantId: z.string(), effective: rulesShape, own: rulesShape });
const methodsShape = z.looseObject({ email: z.looseObject({ enabled: z.boolean(), signUp: z.boolean() }) });

const getPolicy = (browser: Browser, tenantId: string) => browser.get("/tenant/policy/get", { query: { tenantId } });
const askUpdate = (browser: Browser, tenantId: string, policy: object, more: object = {}) =>
	browser.post("/tenant/policy/update", { body: { tenantId, policy, ...more } });
const setPolicy = async ({ operator }: Place, { id }: Tenant, policy: object) =>
	ok(await askUpdate(operator, id, policy), policyShape);
const isSignedIn = async (browser: Browser): Promise<boolean> => (await browser.get("/get-session")).json !== null;

export const policyChecks = {
	"PO-1": check("changes two rules, then inherits one again", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		const before = ok(await getPolicy(place.operator, tenant.id), policyShape);
		assert.deepEqual(before.own, {});
		const changed = await setPolicy(place, tenant, { minPasswordLength: 20, maxSessions: 3 });
		assert.deepEqual(changed.own, { minPasswordLength: 20, maxSessions: 3 });
		assert.equal(changed.effective.minPasswordLength, 20);
		const inherited = await setPolicy(place, tenant, { minPasswordLength: null });
		assert.deepEqual(inherited.own, { maxSessions: 3 });
		assert.equal(inherited.effective.minPasswordLength, before.effective.minPasswordLength);
		assert.deepEqual(ok(await getPolicy(place.operator, neighbor.id), policyShape).own, {});
		refused(await askUpdate(place.operator, tenant.id, { unknownRule: 1 }), 400, "INVALID_POLICY");
		refused(await askUpdate(place.operator, tenant.id, { maxSessions: 0 }), 400, "INVALID_POLICY");
	}),
	// threat 116
	"PO-2": check("reads and changes policies as a user and without credentials", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		const user = place.visitor();
		ok(await askSignUp(user, tenant, newPerson()), signedInShape);
		for (const { id } of [tenant, neighbor, { id: "missing" }]) {
			refused(await getPolicy(user, id), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
			refused(await askUpdate(user, id, { maxSessions: 1 }), 403, "TENANT_MANAGEMENT_NOT_ALLOWED");
			refused(await askUpdate(place.visitor(), id, { maxSessions: 1 }), 401, "TENANT_MANAGEMENT_UNAUTHORIZED");
		}
		refused(await getPolicy(place.operator, "missing"), 404, "TENANT_NOT_FOUND");
		refused(await askUpdate(place.operator, "missing", { maxSessions: 1 }), 404, "TENANT_NOT_FOUND");
	}),
	// threat 116
	"PO-3": check("changes different rules at the same time", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		await Promise.all([
			setPolicy(place, tenant, { maxSessions: 3 }),
			setPolicy(place, tenant, { minPasswordLength: 9 }),
			setPolicy(place, tenant, { sessionMaxAge: 3600 }),
			setPolicy(place, neighbor, { maxSessions: 9 }),
		]);
		const { own } = ok(await getPolicy(place.operator, tenant.id), policyShape);
		assert.deepEqual(own, { maxSessions: 3, minPasswordLength: 9, sessionMaxAge: 3600 });
	}),
	// threat 114
	"PO-4": check("signs in with right and wrong passwords where only passkeys are allowed", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		const person = newPerson();
		const [here, there] = [place.visitor(), place.visitor()];
		ok(await askSignUp(here, tenant, person), signedInShape);
		ok(await askSignUp(there, neighbor, person), signedInShape);
		await setPolicy(place, tenant, { methods: ["passkey"] });
		for (const fields of [{}, { password: "wrong-password-1" }, { email: "nobody@example.com" }])
			refused(await askSignIn(place.visitor(), tenant, person, fields), 403, "SIGN_IN_METHOD_NOT_ALLOWED");
		assert.deepEqual([await isSignedIn(here), await isSignedIn(there)], [false, true]);
		ok(await askSignIn(place.visitor(), neighbor, person), signedInShape);
	}),
	"PO-5": check("asks for the sign-in methods where only passkeys are allowed", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		await setPolicy(place, tenant, { methods: ["passkey"] });
		const of = async ({ id }: Tenant) =>
			ok(await place.visitor().get("/tenant/methods", { query: { tenantId: id } }), methodsShape).email.enabled;
		assert.deepEqual([await of(tenant), await of(neighbor)], [false, true]);
	}),
	// threat 115
	"PO-6": check("signs up with a short password, also for an email that has an account", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		const person = newPerson();
		ok(await askSignUp(place.visitor(), tenant, person), signedInShape);
		await setPolicy(place, tenant, { minPasswordLength: 40 });
		for (const one of [person, newPerson()])
			refused(await askSignUp(place.visitor(), tenant, one), 400, "POLICY_PASSWORD_TOO_SHORT");
		ok(await askSignUp(place.visitor(), neighbor, newPerson()), signedInShape);
		// a password from before still works
		ok(await askSignIn(place.visitor(), tenant, person), signedInShape);
	}),
	// threat 114
	"PO-7": check("signs in three times where two sessions are allowed", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		const person = newPerson();
		const other = place.visitor();
		ok(await askSignUp(other, neighbor, person), signedInShape);
		await setPolicy(place, tenant, { maxSessions: 2 });
		const browsers = [place.visitor(), place.visitor(), place.visitor()];
		const [first, ...rest] = browsers;
		ok(await askSignUp(first as Browser, tenant, person), signedInShape);
		for (const browser of rest) ok(await askSignIn(browser, tenant, person), signedInShape);
		const states: boolean[] = [];
		for (const browser of [...browsers, other]) states.push(await isSignedIn(browser));
		assert.deepEqual(states, [false, true, true, true]);
	}),
	// threat 115
	"PO-8": check(
		"signs up where sign-up is closed, with a new email and with one that has an account",
		async (world) => {
			const place = world.at("policy");
			const [tenant, neighbor] = await twoTenants(place);
			const person = newPerson();
			ok(await askSignUp(place.visitor(), tenant, person), signedInShape);
			await setPolicy(place, tenant, { signUp: "closed" });
			for (const one of [person, newPerson()])
				refused(await askSignUp(place.visitor(), tenant, one), 403, "SIGN_UP_NOT_ALLOWED");
			ok(await askSignUp(place.visitor(), neighbor, newPerson()), signedInShape);
			ok(await askSignIn(place.visitor(), tenant, person), signedInShape);
		},
	),
	// threat 115
	"PO-9": check("signs up with emails of other domains", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		await setPolicy(place, tenant, { emailDomains: ["acme.example"] });
		for (const domain of ["example.com", "sub.acme.example", "notacme.example"]) {
			const email = `person@${domain}`;
			refused(await askSignUp(place.visitor(), tenant, { ...newPerson(), email }), 403, "EMAIL_DOMAIN_NOT_ALLOWED");
		}
		ok(await askSignUp(place.visitor(), tenant, { ...newPerson(), email: "person@acme.example" }), signedInShape);
		ok(await askSignUp(place.visitor(), neighbor, newPerson()), signedInShape);
	}),
	// threat 116
	"PO-10": check("allows SSO only in a tenant without an SSO provider", async (world) => {
		const place = world.at("policy");
		const [tenant, neighbor] = await twoTenants(place);
		refused(await askUpdate(place.operator, tenant.id, { methods: ["sso"] }), 409, "POLICY_LOCKS_EVERYONE_OUT");
		assert.deepEqual(ok(await getPolicy(place.operator, tenant.id), policyShape).own, {});
		ok(await askUpdate(place.operator, tenant.id, { methods: ["sso"] }, { force: true }), policyShape);
		ok(await askSignUp(place.visitor(), neighbor, newPerson()), signedInShape);
	}),
} satisfies Checks;
