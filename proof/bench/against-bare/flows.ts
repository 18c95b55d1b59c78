import { Browser } from "test-kit/browser";
import { ORIGIN, PASSWORD } from "../stage/engine.ts";
import type { Act } from "../stage/rounds.ts";
import type { Setting, StartedSide } from "./sides.ts";

/** Opens an authorization URL, signs a user in and returns the redirect URL. */
export type Authorize = (url: string, person: { sub: string; email: string }) => Promise<string>;

export type Flow = {
	name: string;
	setting: Setting;
	/** requests per second with tenants relative to without */
	goal: number;
	/** per volley, which takes about a tenth of a second */
	requests: number;
	/** per round */
	volleys: number;
	parallel: number;
	/** the requests of a side after its setup */
	side: (started: StartedSide, furnished: { people: Person[]; authorize: Authorize }) => FlowSide;
};

type FlowSide = {
	act: Act;
	/** unmeasured preparation: a state to return with, a token from an email */
	prepare?: (first: number, count: number) => Promise<void>;
};

export type Person = { email: string; tenant: string | undefined; cookie: string };

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
		const { text } = await engine.call("/get-session", { cookie: personAt(people, number).cookie });
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
				const { email, tenant } = personAt(people, number);
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

const SESSION = 0.95;
const OTHERWISE = 0.9;

/** The measured flows, and the relative speed that each must reach. */
export const FLOWS: Flow[] = [
	{
		name: "sign-in, real scrypt",
		setting: "scrypt",
		goal: 0.97,
		requests: 8,
		volleys: 2,
		parallel: 4,
		side: signIn,
	},
	{
		name: "session from PostgreSQL",
		setting: "PostgreSQL",
		goal: SESSION,
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "session from Redis",
		setting: "Redis",
		goal: SESSION,
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "session from its cookie",
		setting: "cookie cache",
		goal: SESSION,
		requests: 48,
		volleys: 6,
		parallel: 8,
		side: getSession,
	},
	{
		name: "sign-in",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signIn,
	},
	{
		name: "sign-in, sessions in Redis",
		setting: "Redis",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signIn,
	},
	{
		name: "sign-in by /tenant/sign-in/email",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signInByTenant,
	},
	{
		name: "sign-up",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: signUp,
	},
	{
		name: "social start",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: socialStart,
	},
	{
		name: "callback",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 16,
		volleys: 3,
		parallel: 4,
		side: callback,
	},
	{
		name: "password reset, asked for",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 32,
		volleys: 6,
		parallel: 8,
		side: askForReset,
	},
	{
		name: "password reset, done",
		setting: "PostgreSQL",
		goal: OTHERWISE,
		requests: 24,
		volleys: 4,
		parallel: 8,
		side: resetPassword,
	},
];
