import { type Config, readConfig, VARIABLES, type Values } from "../config/config.ts";
import { databaseVariables, readDatabase } from "../config/database.ts";
import { httpVariables, readHttp } from "../config/http.ts";
import { mailVariables, readMail } from "../config/mail.ts";
import { managementVariables, readManagement } from "../config/management.ts";
import { ConfigurationError } from "../config/mistakes.ts";
import { readRedis, redisVariables } from "../config/redis.ts";
import { type Environment, readSecretFiles } from "../config/secret-files.ts";
import { readSecrets, secretVariables } from "../config/secrets.ts";
import { readSocialProviders } from "../config/social-providers.ts";
import { readTenants, tenantVariables } from "../config/tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, wrong } = findingsOf("configuration");

/** What the environment says: all of it, or the sections in which there is no mistake. */
type Examined = { findings: Finding[]; config: Partial<Config> };

/** Reads the configuration. A mistake in one section keeps nobody from looking at what the others name. */
export const checkConfiguration = (environment: Environment): Examined => {
	try {
		const config = readConfig(environment);
		return { findings: [ok("Complete and well-formed")], config };
	} catch (error) {
		if (!(error instanceof ConfigurationError)) throw error;
		const { mistakes } = error;
		return {
			findings: mistakes.map(sayMistake),
			config: readSections(environment, mistakes),
		};
	}
};

/** A mistake is told with its mend, sentence by sentence. */
const sayMistake = (mistake: string): Finding => {
	const at = mistake.indexOf(". ");
	return at < 0 ? wrong(mistake) : wrong(mistake.slice(0, at), `${mistake.slice(at + 2)}.`);
};

type Read<Section> = (values: Values, mistakes: string[]) => Section;

const readSections = (environment: Environment, mistakes: readonly string[]): Partial<Config> => {
	const given = readSecretFiles(environment, []);
	const values: Record<string, unknown> = {};
	for (const [name, variable] of Object.entries(VARIABLES)) {
		const parsed = variable.safeParse(given[name]);
		if (parsed.success) values[name] = parsed.data;
	}
	// each mistake begins with the name of its variable
	const mistaken = new Set(mistakes.map((mistake) => mistake.split(/\W/, 1)[0]));
	const section = <Section>(variables: Record<string, unknown>, read: Read<Section>): Section | undefined => {
		const isBroken = Object.keys(variables).some(
			(name) => !(name in values) || mistaken.has(name) || mistaken.has(`${name}_FILE`),
		);
		// a section reads its own variables, which are all there
		return isBroken ? undefined : read(values as Values, []);
	};
	const http = section(httpVariables, readHttp);
	const secrets = section(secretVariables, readSecrets);
	const database = section(databaseVariables, readDatabase);
	const redis = section(redisVariables, readRedis);
	const mail = section(mailVariables, readMail);
	const management = section(managementVariables, readManagement);
	const tenants = section(tenantVariables, readTenants);
	return {
		...(http ? { http } : {}),
		...(secrets ? { secrets } : {}),
		...(database ? { database } : {}),
		...(redis === undefined ? {} : { redis }),
		...(mail ? { mail } : {}),
		...(management ? { management } : {}),
		...(tenants ? { tenants } : {}),
		...(mistakes.some((mistake) => mistake.startsWith("SOCIAL_"))
			? {}
			: { socialProviders: readSocialProviders(given, []) }),
	};
};
