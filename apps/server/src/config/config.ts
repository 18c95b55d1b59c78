import * as z from "zod";
import { databaseVariables, readDatabase } from "./database.ts";
import { httpVariables, readHttp } from "./http.ts";
import { limitVariables, readLimits } from "./limits.ts";
import { mailVariables, readMail } from "./mail.ts";
import { managementVariables, readManagement } from "./management.ts";
import { ConfigurationError } from "./mistakes.ts";
import { observeVariables, readObserve } from "./observe.ts";
import { pluginVariables, readPlugins } from "./plugins.ts";
import { readRedis, redisVariables } from "./redis.ts";
import { type Environment, readSecretFiles } from "./secret-files.ts";
import { readSecrets, secretVariables } from "./secrets.ts";
import { readSession, sessionVariables } from "./session.ts";
import { readSocialProviders } from "./social-providers.ts";
import { readTenants, tenantVariables } from "./tenants.ts";

/** Every variable of the service, each with what it is for; the table of the README is written from it. */
export const VARIABLES = {
	...httpVariables,
	...secretVariables,
	...databaseVariables,
	...redisVariables,
	...mailVariables,
	...managementVariables,
	...tenantVariables,
	...pluginVariables,
	...sessionVariables,
	...limitVariables,
	...observeVariables,
};

const schema = z.object(VARIABLES);

export type Values = z.output<typeof schema>;
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
		http: readHttp(values, mistakes),
		secrets: readSecrets(values, mistakes),
		database: readDatabase(values, mistakes),
		redis: readRedis(values, mistakes),
		mail: readMail(values, mistakes),
		management: readManagement(values, mistakes),
		tenants: readTenants(values, mistakes),
		plugins: readPlugins(values, mistakes),
		session: readSession(values),
		limits: readLimits(values),
		observe: readObserve(values),
		socialProviders,
	};
	if (mistakes.length > 0) throw new ConfigurationError(withoutEchoes(mistakes));
	return config;
};

/** Who looks further than at one variable, and at which ones. */
const READERS: [variables: object, read: (values: Values, mistakes: string[]) => unknown][] = [
	[httpVariables, readHttp],
	[secretVariables, readSecrets],
	[databaseVariables, readDatabase],
	[redisVariables, readRedis],
	[mailVariables, readMail],
	[{ ...managementVariables, ...pluginVariables }, readManagement],
	[tenantVariables, readTenants],
	[{ ...pluginVariables, ...mailVariables }, readPlugins],
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
	for (const [variables, read] of READERS)
		if (!Object.keys(variables).some((name) => wrong.has(name))) read(values, further);
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
