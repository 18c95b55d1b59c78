import * as z from "zod";
import { databaseSection } from "./database.ts";
import { httpSection } from "./http.ts";
import { limitsSection } from "./limits.ts";
import { mailSection } from "./mail.ts";
import { managementSection } from "./management.ts";
import { ConfigurationError } from "./mistakes.ts";
import { observeSection } from "./observe.ts";
import { pluginsSection } from "./plugins.ts";
import { redisSection } from "./redis.ts";
import { type Environment, readSecretFiles } from "./secret-files.ts";
import { secretsSection } from "./secrets.ts";
import { sessionSection } from "./session.ts";
import { readSocialProviders } from "./social-providers.ts";
import { tenantsSection } from "./tenants.ts";

/** Every variable of the service, each with what it is for; the table of the README is written from it. */
export const VARIABLES = {
	...httpSection.variables,
	...secretsSection.variables,
	...databaseSection.variables,
	...redisSection.variables,
	...mailSection.variables,
	...managementSection.variables,
	...tenantsSection.variables,
	...pluginsSection.variables,
	...sessionSection.variables,
	...limitsSection.variables,
	...observeSection.variables,
};

const schema = z.object(VARIABLES);

type Values = z.output<typeof schema>;
export type Config = ReturnType<typeof readConfig>;

/** The environment as the service uses it: read once, checked as a whole, and passed on from here. */
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
		management: managementSection.read(values, mistakes),
		tenants: tenantsSection.read(values, mistakes),
		plugins: pluginsSection.read(values, mistakes),
		session: sessionSection.read(values, mistakes),
		limits: limitsSection.read(values, mistakes),
		observe: observeSection.read(values, mistakes),
		socialProviders,
	};
	if (mistakes.length > 0) throw new ConfigurationError(withoutEchoes(mistakes));
	return config;
};

/** The sections that look further than at one variable. */
const CHECKED: { reads: string[]; read: (values: Values, mistakes: string[]) => unknown }[] = [
	httpSection,
	secretsSection,
	databaseSection,
	redisSection,
	mailSection,
	managementSection,
	tenantsSection,
	pluginsSection,
];

/** What is wrong with single variables, and what is wrong with the others together: all that one start can tell. */
const findAll = (given: Record<string, string>, issues: z.core.$ZodIssue[], mistakes: string[]): string[] => {
	const wrong = new Set(issues.map(({ path }) => String(path[0])));
	const first = issues.map(({ path, message }) => {
		const name = String(path[0]);
		return `${name} ${given[name] === undefined ? missing(name) : message}`;
	});
	const rest = Object.fromEntries(Object.entries(VARIABLES).filter(([name]) => !wrong.has(name)));
	// not all of the values, and none of the missing ones is looked at
	const values = z.object(rest).parse(given) as Values;
	const further: string[] = [];
	for (const { reads, read } of CHECKED) if (!reads.some((name) => wrong.has(name))) read(values, further);
	return [...mistakes, ...first, ...further];
};

const missing = (name: string): string =>
	`is not set. ${VARIABLES[name as keyof typeof VARIABLES]?.meta()?.description ?? ""}`.trim();

/** Whose file could not be read is not set either; once is enough. */
const withoutEchoes = (mistakes: string[]): string[] =>
	mistakes.filter((mistake) => {
		const [, name] = /^([A-Z_]+) is not set/.exec(mistake) ?? [];
		return !mistakes.some(
			(other) => other.startsWith(`${name}_FILE `) || other.startsWith(`${name} and ${name}_FILE `),
		);
	});

/** The engine reads some variables by itself, past this configuration and what it checks. */
const ENGINE_VARIABLES: Record<string, string> = {
	BETTER_AUTH_SECRET: "AUTH_SECRET",
	BETTER_AUTH_SECRETS: "AUTH_SECRETS",
	BETTER_AUTH_TRUSTED_ORIGINS: "TRUSTED_ORIGINS",
	BETTER_AUTH_URL: "AUTH_URL",
};

const findForeignVariables = (environment: Environment): string[] =>
	Object.entries(ENGINE_VARIABLES)
		.filter(([name]) => environment[name])
		.map(([name, ours]) => `${name} is set, which the engine would read by itself. Remove it, and set ${ours}`);
