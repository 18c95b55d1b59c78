import { Browser } from "test-kit/browser";
import { ORIGIN, originOf, PASSWORD } from "./engine.ts";
import type { Act } from "./rounds.ts";
import { type Setting, type StartedSide, slugOf } from "./sides.ts";

/** Opens an authorization URL, signs a user in and returns the redirect URL. */
export type Authorize = (url: string, person: { sub: string; email: string }) => Promise<string>;

/** Flows with the same goals. */
export type FlowKind = "session check" | "real hash" | "other";

export type Flow = {
	name: string;
	kind: FlowKind;
	setting: Setting;
	/** per volley, which takes about a tenth of a second */
	requests: number;
	/** per round */
	volleys: number;
	parallel: number;
	/** the requests of a side after its setup */
	side: (started: StartedSide, furnished: { people: Person[]; authorize: Authorize }) => FlowSide;
};

export type FlowSide = {
	act: Act;
	/** unmeasured preparation: a state to return with, a token from an email */
	prepare?: (first: number, count: number) => Promise<void>;
};

export type Person = { email: string; tenant: string | undefined; cookie: string };

/** A new password ends the sessions of its user, and other flows go on with theirs. */
const FORGETFUL = 10;
const forgetful = (people: Person[]): Person[] => people.slice(-FORGETFUL);
const others = (people: Person[]): Person[] => people.slice(0, -FORGETFUL);

const personAt = (people: Person[], number: number): Person => {
	const person = people[number % people.length];
	if (!person) throw new Error("no user signed up");
	return person;
};

const signIn: Flow["side"] = ({ engine }, { people }) => ({
	act: async (number) => {
		const { email, tenant } = personAt(people, number);
		await engine.call("/sign-in/email", { tenant, body: { email, password: PASSWORD } });
	},
});

/** With tenants, calls the plugin's endpoint, which delegates to the engine's. */
const signInByTenant: Flow["side"] = ({ engine }, { people }) => ({
	act: async (number) => {
		const { email, tenant } = personAt(people, number);
		const body = { email, password: PASSWORD };
		if (tenant) await engine.call("/tenant/sign-in/email", { body: { ...body, tenantId: tenant } });
		else await engine.call("/sign-in/email", { body });
	},
});

const signUp: Flow["side"] = ({ engine, tenantOf }) => ({
	act: async (number) => {
		const body = { name: "Ada", email: `new-${number}@example.com`, password: PASSWORD };
		await engine.call("/sign-up/email", { tenant: tenantOf(number), body });
	},
});

const getSession: Flow["side"] = ({ engine }, { people }) => ({
	act: async (number) => {
		const { text } = await engine.call("/get-session", { cookie: personAt(others(people), number).cookie });
		if (text === "null") throw new Error("the session is gone");
	},
});

/** Each user at the host of their tenant, which alone names it. */
const getSessionByHost: Flow["side"] = ({ engine }, { people }) => ({
	act: async (number) => {
		const at = originOf(slugOf(number % others(people).length));
		const { cookie } = personAt(others(people), number);
		const { text } = await engine.call(`${at}/api/auth/get-session`, { cookie });
		if (text === "null") throw new Error("the session is gone");
	},
});

const startSocial = async (
	{ engine, tenantOf }: StartedSide,
	number: number,
	browser: Browser,
): Promise<{ url: string }> => {
	const tenantId = tenantOf(number);
	const body = { provider: "gitlab", callbackURL: "/home", errorCallbackURL: "/failed" };
	const { text } = tenantId
		? await engine.call("/tenant/sign-in/social", { browser, body: { ...body, tenantId } })
		: await engine.call("/sign-in/social", { browser, body });
	return JSON.parse(text) as { url: string };
};

const socialStart: Flow["side"] = (started) => ({
	act: async (number) => void (await startSocial(started, number, new Browser())),
});

const callback: Flow["side"] = (started, { authorize }) => {
	const ready = new Map<number, { url: string; browser: Browser }>();
	return {
		prepare: async (first, count) => {
			for (let number = first; number < first + count; number += 1) {
				const browser = new Browser();
				const { url } = await startSocial(started, number, browser);
				const person = { sub: `person-${number}`, email: `social-${number}@example.com` };
				ready.set(number, { url: await authorize(url, person), browser });
			}
		},
		act: async (number) => {
			const back = ready.get(number);
			if (!back) throw new Error("there was no redirect to the provider");
			ready.delete(number);
			const { location } = await started.engine.call(back.url, { browser: back.browser });
			if (location !== `${ORIGIN}/home` && location !== "/home") throw new Error(`sent to ${location}`);
		},
	};
};

const askForReset: Flow["side"] = ({ engine }, { people }) => ({
	act: async (number) => {
		const { email, tenant } = personAt(people, number);
		await engine.call("/request-password-reset", { tenant, body: { email } });
	},
});

const resetPassword: Flow["side"] = ({ engine }, { people }) => {
	const tokens = new Map<number, string>();
	return {
		prepare: async (first, count) => {
			for (let number = first; number < first + count; number += 1) {
				const { email, tenant } = personAt(forgetful(people), number);
				await engine.call("/request-password-reset", { tenant, body: { email } });
				tokens.set(number, engine.resetTokens.get(email) ?? "");
			}
		},
		act: async (number) => {
			await engine.call("/reset-password", { body: { newPassword: PASSWORD, token: tokens.get(number) } });
			tokens.delete(number);
		},
	};
};

/** The measured flows. */
export const FLOWS: Flow[] = [
	{
		name: "sign-in, real scrypt",
		kind: "real hash",
		setting: "scrypt",
		requests: 8,
		volleys: 2,
		parallel: 4,
		side: signIn,
	},
	{
		name: "session from PostgreSQL",
		kind: "session check",
		setting: "PostgreSQL",
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "session at the tenant's host",
		kind: "session check",
		setting: "hosts",
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSessionByHost,
	},
	{
		name: "session from Redis",
		kind: "session check",
		setting: "Redis",
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "session from its cookie",
		kind: "session check",
		setting: "cookie cache",
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "sign-in",
		kind: "other",
		setting: "PostgreSQL",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signIn,
	},
	{
		name: "sign-in, sessions in Redis",
		kind: "other",
		setting: "Redis",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signIn,
	},
	{
		name: "sign-in by /tenant/sign-in/email",
		kind: "other",
		setting: "PostgreSQL",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signInByTenant,
	},
	{
		name: "sign-up",
		kind: "other",
		setting: "PostgreSQL",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signUp,
	},
	{
		name: "social start",
		kind: "other",
		setting: "PostgreSQL",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: socialStart,
	},
	{
		name: "callback",
		kind: "other",
		setting: "PostgreSQL",
		requests: 16,
		volleys: 3,
		parallel: 4,
		side: callback,
	},
	{
		name: "password reset, asked for",
		kind: "other",
		setting: "PostgreSQL",
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: askForReset,
	},
	{
		name: "password reset, done",
		kind: "other",
		setting: "PostgreSQL",
		requests: 24,
		volleys: 4,
		parallel: 8,
		side: resetPassword,
	},
];

/** The position of a measured flow in reading order. */
export const orderOf = ({ name }: { name: string }): number => FLOWS.findIndex((flow) => flow.name === name);
