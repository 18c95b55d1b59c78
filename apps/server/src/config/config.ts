import * as z from "zod";
import { apiKeySection } from "./api-key.ts";
import { consoleSection } from "./console.ts";
import { databaseSection } from "./database.ts";
import { deviceSection } from "./device.ts";
import { findDoubts } from "./doubts.ts";
import { httpSection } from "./http.ts";
import { jobsSection } from "./jobs.ts";
import { limitsSection } from "./limits.ts";
import { mailSection } from "./mail.ts";
import { managementSection } from "./management.ts";
import { ConfigurationError } from "./mistakes.ts";
import { findNearMisses } from "./near-misses.ts";
import { oauthProviderSection } from "./oauth-provider.ts";
import { observeSection } from "./observe.ts";
import { pagesSection } from "./pages.ts";
import { passkeySection } from "./passkey.ts";
import { pluginsSection } from "./plugins.ts";
import { policySection } from "./policy.ts";
import { redisSection } from "./redis.ts";
import { scimSection } from "./scim.ts";
import { type Environment, readSecretFiles } from "./secret-files.ts";
import { secretsSection } from "./secrets.ts";
import { sessionSection } from "./session.ts";
import { smsSection } from "./sms.ts";
import { readSocialProviders } from "./social-providers.ts";
import { tenantInvitationsSection } from "./tenant-invitations.ts";
import { tenantsSection } from "./tenants.ts";

/** The parts of the configuration, in the order of the documentation. */
const SECTIONS = {
	http: httpSection,
	secrets: secretsSection,
	database: databaseSection,
	redis: redisSection,
	mail: mailSection,
	jobs: jobsSection,
	management: managementSection,
	tenants: tenantsSection,
	policy: policySection,
	pages: pagesSection,
	console: consoleSection,
	plugins: pluginsSection,
	tenantInvitations: tenantInvitationsSection,
	apiKey: apiKeySection,
	device: deviceSection,
	oauthProvider: oauthProviderSection,
	passkey: passkeySection,
	sms: smsSection,
	scim: scimSection,
	session: sessionSection,
	limits: limitsSection,
	observe: observeSection,
};

type Sections = typeof SECTIONS;
type Intersected<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
	? All
	: never;
type Variables = Intersected<Sections[keyof Sections]["variables"]>;

/** Every variable of the server with its description. The table in the README is generated from it. */
export const VARIABLES = Object.assign({}, ...Object.values(SECTIONS).map(({ variables }) => variables)) as Variables;

const schema = z.object(VARIABLES);

type Values = z.output<typeof schema>;
export type Config = ReturnType<typeof readConfig>;

/** Reads and checks the whole environment once. Everything else gets the result. */
export const readConfig = (environment: Environment) => {
	const mistakes = findForeignVariables(environment);
	const given = readSecretFiles(environment, mistakes);
	const socialProviders = readSocialProviders(given, mistakes);
	const parsed = schema.safeParse(given);
	if (!parsed.success) throw new ConfigurationError(withoutEchoes(findAll(given, parsed.error.issues, mistakes)));

	const values = parsed.data;
	const sections = readSections(values, mistakes);
	const config = {
		...sections,
		socialProviders,
		/** variables that are probably misspelled or not meant; `serve` warns about them */
		doubts: [...findNearMisses(environment, Object.keys(VARIABLES)), ...findDoubts({ ...sections, socialProviders })],
	};
	if (mistakes.length > 0) throw new ConfigurationError(withoutEchoes(mistakes));
	return config;
};

const LIST: Record<string, { reads: string[]; read: (values: Values, mistakes: string[]) => unknown }> = SECTIONS;

const readSections = (values: Values, mistakes: string[]) =>
	Object.fromEntries(Object.entries(LIST).map(([name, { read }]) => [name, read(values, mistakes)])) as {
		[Name in keyof Sections]: ReturnType<Sections[Name]["read"]>;
	};

/** All mistakes at once: those in single variables, and those in combinations of the valid ones. */
const findAll = (given: Record<string, string>, issues: z.core.$ZodIssue[], mistakes: string[]): string[] => {
	const wrong = new Set(issues.map(({ path }) => String(path[0])));
	const first = issues.map(({ path, message }) => {
		const name = String(path[0]);
		return `${name} ${given[name] === undefined ? missing(name) : message}`;
	});
	const rest = Object.fromEntries(Object.entries(VARIABLES).filter(([name]) => !wrong.has(name)));
	// some values are missing, but only complete sections are read
	const values = z.object(rest).parse(given) as Values;
	const further: string[] = [];
	for (const { reads, read } of Object.values(LIST)) if (!reads.some((name) => wrong.has(name))) read(values, further);
	return [...mistakes, ...first, ...further];
};

const missing = (name: string): string =>
	`is not set. ${VARIABLES[name as keyof typeof VARIABLES]?.meta()?.description ?? ""}`.trim();

/** Drops "is not set" if another mistake already says that the variable's file cannot be read. */
const withoutEchoes = (mistakes: string[]): string[] =>
	mistakes.filter((mistake) => {
		const [, name] = /^([A-Z_]+) is not set/.exec(mistake) ?? [];
		return !mistakes.some(
			(other) => other.startsWith(`${name}_FILE `) || other.startsWith(`${name} and ${name}_FILE `),
		);
	});

/** Better Auth reads these variables itself, which would bypass this configuration. */
const ENGINE_VARIABLES: Record<string, string> = {
	BETTER_AUTH_SECRET: "AUTH_SECRET",
	BETTER_AUTH_SECRETS: "AUTH_SECRETS",
	BETTER_AUTH_TRUSTED_ORIGINS: "TRUSTED_ORIGINS",
	BETTER_AUTH_URL: "AUTH_URL",
};

const findForeignVariables = (environment: Environment): string[] =>
	Object.entries(ENGINE_VARIABLES)
		.filter(([name]) => environment[name])
		.map(
			([name, ours]) =>
				`${name} is set, but Better Auth would read it directly and bypass this configuration. Remove it and set ${ours}`,
		);
