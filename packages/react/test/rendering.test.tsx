import { createAuthClient } from "better-auth/react";
import type { SignInMethods } from "better-auth-tenants";
import { tenantAuthClient } from "better-auth-tenants/client";
import type { ReactNode } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { failureOf, failureOfRedirect } from "../src/failures.ts";
import {
	AcceptInvitation,
	ENGLISH_TEXTS,
	ForgotPassword,
	ResetPassword,
	SignIn,
	SignUp,
	TenantProvider,
	TenantSwitcher,
	type Texts,
	UserButton,
} from "../src/index.ts";
import { nextIndex } from "../src/menu-keys.ts";

const authClient = createAuthClient({ baseURL: "http://localhost:3000", plugins: [tenantAuthClient()] });
const on = { enabled: true, signUp: true };
const METHODS: SignInMethods = {
	email: on,
	providers: [{ id: "google", name: "Google" }],
	sso: [{ id: "okta" }],
	oneTap: on,
	magicLink: on,
	emailOtp: on,
	phoneNumber: on,
	username: on,
	passkey: on,
	anonymous: on,
	siwe: on,
};
const NONE: SignInMethods = {
	...METHODS,
	providers: [],
	sso: [],
	...Object.fromEntries(
		(["email", "magicLink", "emailOtp", "username", "passkey", "anonymous"] as const).map((name) => [
			name,
			{ enabled: false, signUp: false },
		]),
	),
};

const render = (children: ReactNode, initialMethods?: SignInMethods, texts?: Texts): string =>
	renderToString(
		<TenantProvider
			authClient={authClient}
			tenantId="acme-id"
			initialMethods={initialMethods}
			{...(texts ? { texts } : {})}
		>
			{children}
		</TenantProvider>,
	);

describe("on the server", () => {
	it.each([
		["SignIn", <SignIn key="1" />],
		["SignUp", <SignUp key="2" />],
		["ForgotPassword", <ForgotPassword key="3" resetPath="/reset" />],
		["ResetPassword", <ResetPassword key="4" token="token" />],
		["AcceptInvitation", <AcceptInvitation key="5" token="token" />],
		["TenantSwitcher", <TenantSwitcher key="6" tenants={[{ id: "acme-id", name: "Acme" }]} />],
	])("%s renders", (_name, element) => {
		expect(render(element)).toContain("data-part");
		expect(render(element, METHODS)).toContain("data-part");
	});

	it("UserButton renders nothing, because nobody is known to be signed in", () => {
		expect(render(<UserButton />)).toBe("");
	});

	it("SignIn says that it loads, unless the methods are given", () => {
		expect(render(<SignIn />)).toContain(ENGLISH_TEXTS.loading);
		expect(render(<SignIn />, METHODS)).toContain("Continue with Google");
		expect(render(<SignIn />, METHODS)).toContain("Continue with single sign-on (okta)");
	});

	it("SignIn says that there is no method, and starts with the first form that there is", () => {
		expect(render(<SignIn />, NONE)).toContain(ENGLISH_TEXTS.noMethods);
		expect(render(<SignIn />, { ...NONE, emailOtp: on })).toContain('data-form="email-code"');
		expect(render(<SignIn />, { ...NONE, magicLink: on, emailOtp: on })).toContain('data-form="email-link"');
	});

	it("links are left out if they would run a script", () => {
		expect(render(<SignIn forgotPasswordHref="javascript:alert(1)" />, METHODS)).not.toContain("javascript:");
		expect(render(<SignIn signUpHref="javascript:alert(1)" />, METHODS)).not.toContain("javascript:");
	});

	it("a component without a provider says what to do", () => {
		expect(() => renderToString(<SignIn />)).toThrow("There is no TenantProvider.");
	});
});

describe("texts", () => {
	it("replace the English ones", () => {
		expect(render(<SignIn />, METHODS, { ...ENGLISH_TEXTS, signIn: "Log in" })).toContain("Log in");
	});

	it("do not compile if one is missing", () => {
		const { signIn: _left, ...rest } = ENGLISH_TEXTS;
		// @ts-expect-error: signIn is missing
		const texts: Texts = rest;
		expect(texts.signIn).toBeUndefined();
	});
});

describe("errors", () => {
	it("are chosen by the code, then by the status", () => {
		expect(failureOf({ status: 401, code: "INVALID_EMAIL_OR_PASSWORD" })).toEqual({
			text: "wrongPassword",
			field: "password",
		});
		expect(failureOf({ status: 429 }).text).toBe("tooManyRequests");
		expect(failureOf({ status: 503, code: "HASHING_BUSY" }).text).toBe("unavailable");
		expect(failureOf({ status: 400, code: "constructor" }).text).toBe("failed");
	});

	it("in the address choose a text only", () => {
		expect(failureOfRedirect("access_denied")).toEqual({ text: "cancelled" });
		expect(failureOfRedirect("__proto__")).toEqual({ text: "providerFailed" });
	});
});

describe("keys in a menu", () => {
	const names = ["Account", "Settings", "Sign out"];

	it.each([
		["ArrowDown", 2, 0],
		["ArrowUp", 0, 2],
		["Home", 2, 0],
		["End", 0, 2],
		["s", 0, 1],
		["S", 1, 2],
		["x", 0, null],
		["Tab", 0, null],
		[" ", 0, null],
	])("%s leads from %i to %s", (key, from, to) => {
		expect(nextIndex(key, from, names)).toBe(to);
	});
});
