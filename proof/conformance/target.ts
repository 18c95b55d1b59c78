import { randomBytes } from "node:crypto";
import * as z from "zod";
import { callApi } from "./callers/auth-api.ts";
import { callClient } from "./callers/client.ts";
import { type IdentityProvider, NotObservable, type Variant, type World } from "./check.ts";
import { createDatabase, type DatabaseKind } from "./databases.ts";
import { type Open, openBrowser } from "./http.ts";
import { inspectDatabase } from "./inspect.ts";
import { newPerson, type Place, placeAt, sweep } from "./place.ts";
import { optionsOf, type Shared, startServer, variantNames } from "./server.ts";
import { type SettingName, settings } from "./settings.ts";
import { callbackOf, PLAYED } from "./social.ts";

/** What a run checks: a world for the checks, and how to close it. */
export type Target = { version: string; world: World; end(): Promise<void> };

/** Which store and options the servers of a run have, and how the checks call them. */
export type Setup = { store: DatabaseKind; caller: CallerName; setting: SettingName };

const CALLERS = {
	HTTP: () => openBrowser,
	"auth.api": callApi,
	client: () => callClient,
} satisfies Record<string, (api: object) => Open>;

type CallerName = keyof typeof CALLERS;

/** Starts every variant of the server on a separate database. */
export const startTarget = async ({ store: kind, caller, setting }: Setup, idp: IdentityProvider): Promise<Target> => {
	const database = await createDatabase(kind);
	const globalClient = { clientId: `global-${kind}-${token(4)}`, clientSecret: token(16) };
	const shared: Shared = {
		secret: token(32),
		managementKey: token(24),
		database: database.options,
		realHashing: kind === "postgres",
		issuer: idp.gitlab.issuer,
		globalClient,
		listedUserIds: [],
		mails: [],
		setting: settings[setting],
	};
	await database.migrate(variantNames.map((name) => optionsOf(name, shared, "http://127.0.0.1")));

	const standard = await startServer("standard", shared);
	const listed = await signUpListed(placeAt(standard.base, shared.managementKey), shared);
	const servers = new Map([["standard" as Variant | "standard", standard]]);
	for (const name of variantNames) if (name !== "standard") servers.set(name, await startServer(name, shared));

	const places = new Map<string, Place>();
	for (const [name, { base, api }] of servers) {
		const tenantHeader = name === "header" ? "x-account" : undefined;
		places.set(name, placeAt(base, shared.managementKey, { tenantHeader, open: CALLERS[caller](api) }));
	}
	const redirectURIs = [...places.values()].map((place) => callbackOf(place, PLAYED));
	idp.addClient({ ...globalClient, redirectURIs });

	const inspect = database.inspect(shared.secret);
	const mailTo = (email: string) => shared.mails.find((mail) => mail.to === email);
	return {
		version: database.version,
		world: {
			standard: found(places.get("standard"), "no server"),
			at: (variant) => found(places.get(variant), `no server "${variant}"`),
			globalProvider: () => ({ id: PLAYED, clientId: globalClient.clientId, isPlayed: true }),
			identityProvider: () => idp,
			inspect: () => inspect,
			mailTo: async (email) => mailTo(email) ?? fail(`no mail to ${email}`),
			listedOperator: () => listed,
		},
		end: async () => {
			await inspect.close();
			await Promise.all([...servers.values()].map((server) => server.stop()));
			await database.drop();
		},
	};
};

export type Deployment = {
	url: string;
	managementKey: string;
	variants: Record<string, string>;
	globalProvider?: { id: string; clientId: string; isPlayed: boolean } | undefined;
	databaseURL?: string | undefined;
	/** The keys and values of the secondary storage. */
	storage?: (() => Promise<string[]>) | undefined;
	secret?: string | undefined;
	/** The verification mail to an address, if the run can read mails. */
	mailTo?: ((email: string) => Promise<{ url: string }>) | undefined;
	/** It ends with the run, so no cleanup is needed. */
	isThrownAway?: boolean;
	/** The identity provider of this run, if the deployment may call loopback addresses. */
	idp?: IdentityProvider | undefined;
};

/** Checks an existing deployment. What it does not show is reported as not observable. */
export const foreignTarget = (deployment: Deployment): Target => {
	const { url, managementKey, variants, databaseURL, storage, secret } = deployment;
	const place = (base: string, header?: string) =>
		placeAt(base.replace(/\/$/, ""), managementKey, { tenantHeader: header });
	const standard = place(url);
	const others = new Map<string, Place>();
	for (const [name, base] of Object.entries(variants))
		others.set(name, place(base, name === "header" ? "x-account" : undefined));
	const inspect = databaseURL ? inspectDatabase(databaseURL, { secret, ...(storage ? { storage } : {}) }) : undefined;
	return {
		version: new URL(url).host,
		world: {
			standard,
			at: (variant) => found(others.get(variant), `needs a deployment with other options (--variant ${variant}=URL)`),
			globalProvider: () => found(deployment.globalProvider, "needs to know a global provider (--global-provider)"),
			identityProvider: () =>
				found(deployment.idp, "needs a provider that the deployment can call (--loopback-provider)"),
			inspect: () => found(inspect, "needs to read the database (CONFORMANCE_DATABASE_URL)"),
			mailTo: (email) => found(deployment.mailTo, "needs to read mails")(email),
			listedOperator: () => found<never>(undefined, "needs to know a listed operator"),
		},
		end: async () => {
			await inspect?.close();
			if (deployment.isThrownAway) return;
			// the bare one cannot be managed, so nothing was created there
			const visited = [...others].flatMap(([name, other]) => (name === "bare" ? [] : [other]));
			for (const one of new Set([standard, ...visited])) await sweep(one);
		},
	};
};

const token = (bytes: number) => randomBytes(bytes).toString("hex");

const found = <T>(value: T | undefined, reason: string): T => {
	if (value === undefined) throw new NotObservable(reason);
	return value;
};

const fail = (message: string): never => {
	throw new Error(message);
};

/** The platform user in `management.userIds`, signed up before the server that lists them starts. */
const signUpListed = async (place: Place, shared: Shared) => {
	const person = newPerson();
	const answer = await place.visitor().post("/sign-up/email", { body: person });
	shared.listedUserIds.push(z.object({ user: z.object({ id: z.string() }) }).parse(answer.json).user.id);
	return { email: person.email, password: person.password };
};
