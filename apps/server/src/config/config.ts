import * as z from "zod";
import { apiKeySection } from "./api-key.ts";
import { consoleSection } from "./console.ts";
import { databaseSection } from "./database.ts";
import { deviceSection } from "./device.ts";
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

/** Every variable of the server with its description. The table in the README is generated from it. */
export const VARIABLES = {
	...httpSection.variables,
	...secretsSection.variables,
	...databaseSection.variables,
	...redisSection.variables,
	...mailSection.variables,
	...jobsSection.variables,
	...managementSection.variables,
	...tenantsSection.variables,
	...policySection.variables,
	...pagesSection.variables,
	...consoleSection.variables,
	...pluginsSection.variables,
	...tenantInvitationsSection.variables,
	...apiKeySection.variables,
	...deviceSection.variables,
	...oauthProviderSection.variables,
	...passkeySection.variables,
	...smsSection.variables,
	...scimSection.variables,
	...sessionSection.variables,
	...limitsSection.variables,
	...observeSection.variables,
};

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
	const config = {
		http: httpSection.read(values, mistakes),
		secrets: secretsSection.read(values, mistakes),
		database: databaseSection.read(values, mistakes),
		redis: redisSection.read(values, mistakes),
		mail: mailSection.read(values, mistakes),
		jobs: jobsSection.read(values, mistakes),
		management: managementSection.read(values, mistakes),
		tenants: tenantsSection.read(values, mistakes),
		policy: policySection.read(values, mistakes),
		pages: pagesSection.read(values, mistakes),
		console: consoleSection.read(values, mistakes),
		plugins: pluginsSection.read(values, mistakes),
		tenantInvitations: tenantInvitationsSection.read(values, mistakes),
		apiKey: apiKeySection.read(values, mistakes),
		device: deviceSection.read(values, mistakes),
		oauthProvider: oauthProviderSection.read(values, mistakes),
		passkey: passkeySection.read(values, mistakes),
		sms: smsSection.read(values, mistakes),
		scim: scimSection.read(values, mistakes),
		session: sessionSection.read(values, mistakes),
		limits: limitsSection.read(values, mistakes),
		observe: observeSection.read(values, mistakes),
		socialProviders,
		/** variables that are probably misspelled; `serve` warns about them */
		nearMisses: findNearMisses(environment, Object.keys(VARIABLES)),
	};
	if (mistakes.length > 0) throw new ConfigurationError(withoutEchoes(mistakes));
	return config;
};

/** The sections that also check variables against each other. */
const CHECKED: { reads: string[]; read: (values: Values, mistakes: string[]) => unknown }[] = [
	httpSection,
	secretsSection,
	databaseSection,
	redisSection,
	mailSection,
	managementSection,
	tenantsSection,
	policySection,
	pagesSection,
	consoleSection,
	pluginsSection,
	tenantInvitationsSection,
	apiKeySection,
	deviceSection,
	oauthProviderSection,
	passkeySection,
	smsSection,
	scimSection,
];

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
	for (const { reads, read } of CHECKED) if (!reads.some((name) => wrong.has(name))) read(values, further);
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
