import { createHash } from "node:crypto";
import dns from "node:dns/promises";
import { syncBuiltinESMExports } from "node:module";
import { sso } from "@better-auth/sso";
import { organization } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";
import { createGate } from "../admin/support/gate.ts";
import { managedWorld } from "./support/managed-world.ts";
import { registration, startOpenIdServer } from "./support/openid-server.ts";
import { startOwnServer } from "./support/own-openid-server.ts";
import { ssoWorld } from "./support/sso-world.ts";

/** Replaces DNS TXT records for a test. */
const publish = (answer: (name: string) => string[], wait = async () => {}): void => {
	const real = dns.resolveTxt;
	const set = (resolve: typeof dns.resolveTxt) => {
		dns.resolveTxt = resolve;
		syncBuiltinESMExports();
	};
	set(async (name) => {
		await wait();
		return [answer(name)];
	});
	onTestFinished(() => set(real));
};

describe("a domain", () => {
	// threat 73: `_better-auth-token-x.evil` + `.com` is a name below evil.com
	it("is not verified by a record below another domain, through a dot in the provider's name", async () => {
		const evil = await startOwnServer(() => ({ sub: "1", email: "ceo@victim.com" }));
		const world = await ssoWorld([evil.origin], { options: { domainVerification: { enabled: true } } });
		const { a } = world;
		await world.signUp(a, "ceo@victim.com");
		await world.database.query(`update "user" set "emailVerified" = 1`);
		const registered = await world.register(a, registration(evil.origin, "x.evil", "com"));
		const token = String(registered.json?.domainVerificationToken);
		// the attacker owns evil.com only
		publish((name) => (name.endsWith(".evil.com") ? [token] : []));
		await world.call("/sso/verify-domain", { tenant: a, operator: true, body: { providerId: "x.evil" } });
		const verified = await world.database.query(`select "domain" from "ssoProvider" where "domainVerified" = 1`);
		// and cannot sign in with it
		const { browser, url, answer } = await world.begin(a, { email: "ceo@victim.com" });
		if (answer.status === 200) await world.call(await evil.visit(url.href), { browser });
		expect([verified, answer.status, await world.whoami(browser)]).toEqual([[], 404, null]);
	});

	// threat 73: a manager could point a provider with a verified domain at their own server
	it("is no longer verified after its provider changes the identity provider", async () => {
		const honest = await startOpenIdServer(() => ({ sub: "ceo", email: "ceo@corp.example" }));
		const evil = await startOwnServer(() => ({ sub: "1", email: "ceo@corp.example" }));
		const options = { domainVerification: { enabled: true } };
		const world = await ssoWorld([honest.issuer, evil.origin], { options });
		const { a } = world;
		await world.signUp(a, "ceo@corp.example");
		await world.database.query(`update "user" set "emailVerified" = 1`);
		await world.registered(a, registration(honest.issuer, "okta"));
		await world.verifyDomain(a, "okta");
		const { providerId, issuer, oidcConfig } = registration(evil.origin, "okta");
		const body = { providerId, issuer, oidcConfig };
		await world.call("/sso/update-provider", { tenant: a, operator: true, body });
		const { browser, url, answer } = await world.begin(a);
		if (url.href.startsWith(evil.origin)) await world.call(await evil.visit(url.href), { browser });
		expect([answer.status, await world.whoami(browser)]).toEqual([expect.any(Number), null]);
	});

	const pending = async () => {
		const world = await ssoWorld(["http://127.0.0.1:9"], { options: { domainVerification: { enabled: true } } });
		const manage = (path: string, body: object) =>
			world.call(`/sso/${path}`, { tenant: world.a, operator: true, body: { providerId: "okta", ...body } });
		const { domainVerificationToken: token } = await world.registered(
			world.a,
			registration("http://127.0.0.1:9", "okta"),
		);
		const isVerified = async () =>
			(await world.database.query(`select "domainVerified" from "ssoProvider"`)).some(
				(row) => row.domainVerified === 1,
			);
		const { issuer, oidcConfig } = registration("http://127.0.0.1:9/evil", "okta");
		const verify = async () => (await manage("verify-domain", {})).status;
		return { world, manage, token: String(token), isVerified, verify, swapped: { issuer, oidcConfig } };
	};

	// threat 73: the DNS record stays
	it.each(["changed", "registered again"])(
		"is not verified by its old record for a provider that was %s",
		async (how) => {
			const { world, manage, token, isVerified, verify, swapped } = await pending();
			publish(() => [token]);
			if (how === "changed") expect((await manage("update-provider", swapped)).status).toBe(200);
			else {
				await manage("delete-provider", {});
				await world.registered(world.a, { ...registration("http://127.0.0.1:9", "okta"), ...swapped });
			}
			await verify();
			expect(await isVerified()).toBe(false);
		},
	);

	// threat 73
	it("is not verified for a provider that changes while the record is looked up", async () => {
		const { manage, token, isVerified, verify, swapped } = await pending();
		const [asked, released] = [createGate(), createGate()];
		publish(
			() => [token],
			async () => {
				asked.open();
				await released.opened;
			},
		);
		const verifying = verify();
		await asked.opened;
		expect((await manage("update-provider", swapped)).status).toBe(200);
		released.open();
		expect([await verifying, await isVerified()]).toEqual([409, false]);
	});

	it("is verified by its record", async () => {
		const { token, isVerified, verify } = await pending();
		publish(() => [token]);
		expect([await verify(), await isVerified()]).toEqual([204, true]);
	});
});

describe("an account of an SSO provider", () => {
	// threat 71: the engine compares the accounts of the user with that email to the subject
	it("does not match a subject that is spelled like its account id", async () => {
		let claims = { sub: "ceo", email: "ceo@corp.example" };
		const server = await startOpenIdServer(() => claims);
		const world = await ssoWorld([server.issuer]);
		server.allow((await world.registered(world.a, registration(server.issuer, "okta"))).redirectURI);
		const signIn = async () => {
			const { browser, url } = await world.begin(world.a);
			await world.call(await server.visit(url.href), { browser });
			return (await world.whoami(browser))?.id ?? null;
		};
		expect(await signIn()).not.toBeNull();
		claims = { sub: "mallory", email: "ceo@corp.example" };
		expect(await signIn()).toBeNull();
		// the mark is not a secret: it is the hash of the issuer
		const authority = JSON.stringify(["sso-oidc", server.issuer]);
		const mark = createHash("sha256").update(authority).digest("hex").slice(0, 32);
		claims = { sub: `ceo@${mark}`, email: "ceo@corp.example" };
		expect(await signIn()).toBeNull();
	});

	// threat 71: a provider deleted with its registrant would leave its accounts behind
	it("is not passed to the next provider of that name after its own was deleted with its registrant", async () => {
		const honest = await startOpenIdServer(() => ({ sub: "ceo", email: "ceo@corp.example" }));
		const evil = await startOwnServer(() => ({ sub: "ceo", email: "eve@evil.example" }), { issuer: honest.issuer });
		const world = await managedWorld([sso(), organization()], { trustedOrigins: [honest.issuer, evil.origin] });
		const { a, call, signUp } = world;
		const [founder, other] = [await signUp(a, "admin1@acme.example"), await signUp(a, "admin2@acme.example")];
		/** Only if the flow leads to this server: the CEO is signed in at the honest one. */
		const signInAt = async (origin: string, visit: (url: string) => Promise<string>) => {
			const browser = new Browser();
			const begun = await call("/sign-in/sso", { tenant: a, browser, body: { providerId: "okta", callbackURL: "/" } });
			if (begun.json?.url?.startsWith(`${origin}/`)) await call(await visit(begun.json.url), { browser });
			return (await call("/get-session", { browser })).json?.user ?? null;
		};
		const organizationId = (await call("/organization/create", { browser: founder, body: { name: "O", slug: "o" } }))
			.json.id;
		const body = { ...registration(honest.issuer, "okta"), organizationId };
		honest.allow((await call("/sso/register", { browser: founder, body })).json.redirectURI);
		const ceo = await signInAt(honest.issuer, honest.visit);
		expect(ceo.email).toBe("ceo@corp.example");
		expect((await call("/delete-user", { browser: founder, body: { password: PASSWORD } })).status).toBe(200);
		// the same name and issuer, with another server
		const { oidcConfig } = registration(evil.origin, "okta");
		await call("/sso/register", { browser: other, body: { ...registration(honest.issuer, "okta"), oidcConfig } });
		const eve = await signInAt(evil.origin, evil.visit);
		expect(eve?.id).not.toBe(ceo.id);
	});
});
