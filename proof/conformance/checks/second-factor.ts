import assert from "node:assert/strict";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { ok, refused } from "../expect.ts";
import type { Browser } from "../http.ts";
import {
	askSignIn,
	askSignUp,
	newMember,
	newPerson,
	type Place,
	sessionOf,
	type Tenant,
	twoTenants,
} from "../place.ts";

const anyShape = z.looseObject({});
const enabledShape = z.looseObject({ totpURI: z.string() });
const lackShape = z.object({ secondFactor: z.enum(["verify", "enroll"]).nullable() });
const askedShape = z.looseObject({ secondFactor: z.enum(["verify", "enroll"]), user: z.undefined().optional() });

const setRule = async ({ operator }: Place, { id }: Tenant, secondFactor: string | null) =>
	ok(await operator.post("/tenant/policy/update", { body: { tenantId: id, policy: { secondFactor } } }), anyShape);

const lackOf = async (browser: Browser) => ok(await browser.get("/tenant/second-factor"), lackShape).secondFactor;
const verify = (browser: Browser, code: string) => browser.post("/two-factor/verify-totp", { body: { code } });

/** Sets up an authenticator app. Returns what creates its codes. */
const enroll = async (browser: Browser, password: string) => {
	const { totpURI } = ok(await browser.post("/two-factor/enable", { body: { password } }), enabledShape);
	const secret = base32.decode(new URL(totpURI).searchParams.get("secret") ?? "");
	const code = () => createOTP(new TextDecoder().decode(secret)).totp();
	ok(await verify(browser, await code()), anyShape);
	return code;
};

/** A user with an authenticator app. */
const enrolled = async (place: Place, tenant: Tenant) => {
	const member = await newMember(place, tenant);
	return { ...member, code: await enroll(member.browser, member.person.password) };
};

/** Asserts that a session is none except to set up or verify the second factor. */
const assertLacks = async (browser: Browser, lack: "verify" | "enroll") => {
	const session = await browser.get("/get-session");
	assert.deepEqual([session.status, session.json, session.headers.get("x-second-factor")], [200, null, lack]);
	refused(await browser.get("/list-sessions"), 401, "SECOND_FACTOR_REQUIRED");
	assert.equal(await lackOf(browser), lack);
};

const assertComplete = async (browser: Browser, tenant: Tenant) => {
	assert.equal((await sessionOf(browser))?.session.tenantId, tenant.id);
	assert.equal((await browser.get("/list-sessions")).status, 200);
};

export const secondFactorChecks = {
	// threat 117
	"SF-1": check(
		"signs in with a password, then sends the code of another tenant's user and the right one",
		async (world) => {
			const place = world.at("secondFactor");
			const [tenant, neighbor] = await twoTenants(place);
			const [ada, foreign] = [await enrolled(place, tenant), await enrolled(place, neighbor)];
			await setRule(place, tenant, "required");
			const browser = place.visitor();
			assert.equal(ok(await askSignIn(browser, tenant, ada.person), askedShape).secondFactor, "verify");
			assert.equal(await sessionOf(browser), null);
			const [right, wrong] = [await ada.code(), await foreign.code()];
			if (right !== wrong) refused(await verify(browser, wrong));
			assert.equal(await sessionOf(browser), null);
			ok(await verify(browser, await ada.code()), anyShape);
			await assertComplete(browser, tenant);
		},
	),
	// threat 117
	"SF-2": check("signs up in a tenant that requires one and in one that does not, and sets it up", async (world) => {
		const place = world.at("secondFactor");
		const [tenant, neighbor] = await twoTenants(place);
		await setRule(place, tenant, "required");
		const [person, browser] = [newPerson(), place.visitor()];
		assert.equal(ok(await askSignUp(browser, tenant, person), askedShape).secondFactor, "enroll");
		await assertLacks(browser, "enroll");
		await enroll(browser, person.password);
		await assertComplete(browser, tenant);
		assert.equal(await lackOf(browser), null);
		await assertComplete((await newMember(place, neighbor, person)).browser, neighbor);
	}),
	// threat 117
	"SF-3": check("begins to require one while users of two tenants are signed in, and stops", async (world) => {
		const place = world.at("secondFactor");
		const [tenant, neighbor] = await twoTenants(place);
		const [plain, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
		await setRule(place, tenant, "required");
		await assertLacks(plain.browser, "enroll");
		await assertComplete(other.browser, neighbor);
		await setRule(place, tenant, null);
		await assertComplete(plain.browser, tenant);
	}),
	// threat 117
	"SF-4": check("asks for the code of a session from before, and for its session meanwhile", async (world) => {
		const place = world.at("secondFactor");
		const [tenant] = await twoTenants(place);
		const person = newPerson();
		const { browser } = await newMember(place, tenant, person);
		const second = place.visitor();
		assert.equal((await askSignIn(second, tenant, person)).status, 200);
		const code = await enroll(second, person.password);
		await setRule(place, tenant, "required");
		await assertLacks(browser, "verify");
		refused(await browser.post("/two-factor/enable", { body: { password: person.password } }), 401);
		ok(await browser.post("/tenant/second-factor/challenge", { body: {} }), anyShape);
		assert.equal(await sessionOf(browser), null);
		ok(await verify(browser, await code()), anyShape);
		await assertComplete(browser, tenant);
		await assertComplete(second, tenant);
	}),
	// threat 118
	"SF-5": check(
		"makes a member an admin in a tenant that requires it of admins, and one in another tenant",
		async (world) => {
			const place = world.at("secondFactor");
			const [tenant, neighbor] = await twoTenants(place);
			const [ada, other] = [await newMember(place, tenant), await newMember(place, neighbor)];
			await setRule(place, tenant, "required-for-admins");
			await assertComplete(ada.browser, tenant);
			for (const [at, { user }] of [
				[tenant, ada],
				[neighbor, other],
			] as const) {
				const body = { tenantId: at.id, userId: user.id, role: "admin" };
				ok(await place.operator.post("/tenant/user/set-role", { body }), anyShape);
			}
			await assertLacks(ada.browser, "enroll");
			await assertComplete(other.browser, neighbor);
		},
	),
	// threat 118
	"SF-6": check("resets the second factor of a user, and signs in again in both tenants", async (world) => {
		const place = world.at("secondFactor");
		const [tenant, neighbor] = await twoTenants(place);
		const [ada, other] = [await enrolled(place, tenant), await enrolled(place, neighbor)];
		for (const one of [tenant, neighbor]) await setRule(place, one, "required");
		await assertComplete(ada.browser, tenant);
		const body = { tenantId: tenant.id, userId: ada.user.id };
		ok(await place.operator.post("/tenant/user/reset-second-factor", { body }), anyShape);
		assert.equal(await sessionOf(ada.browser), null);
		const browser = place.visitor();
		assert.equal(ok(await askSignIn(browser, tenant, ada.person), askedShape).secondFactor, "enroll");
		await assertLacks(browser, "enroll");
		await assertComplete(other.browser, neighbor);
		assert.equal(ok(await askSignIn(place.visitor(), neighbor, other.person), askedShape).secondFactor, "verify");
	}),
} satisfies Checks;
