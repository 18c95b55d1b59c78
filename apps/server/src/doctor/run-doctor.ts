import type { Config } from "../config/config.ts";
import { checkClock } from "./check-clock.ts";
import { checkConsole } from "./check-console.ts";
import { checkDatabase } from "./check-database.ts";
import { checkJobs } from "./check-jobs.ts";
import { checkMail } from "./check-mail.ts";
import { checkPlugins } from "./check-plugins.ts";
import { checkProviders } from "./check-providers.ts";
import { checkPublicURL } from "./check-public-url.ts";
import { checkRedis } from "./check-redis.ts";
import { checkRotation } from "./check-rotation.ts";
import { checkRows } from "./check-rows.ts";
import { checkSchema } from "./check-schema.ts";
import { checkSecrets } from "./check-secrets.ts";
import { checkStoredConfigs } from "./check-stored-configs.ts";
import { checkTenantMail } from "./check-tenant-mail.ts";
import { checkTenants } from "./check-tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";
import { openPatient, type Patient } from "./patient.ts";
import { withinTime } from "./time-limit.ts";

/** Maximum seconds per check. */
const LONGEST = 20;

/** Runs all checks in parallel. A failing check does not stop the others. */
export const runDoctor = async (config: Partial<Config>): Promise<Finding[]> => {
	const patient = openPatient(config);
	try {
		const checks = checksOf(patient).map(({ name, section, check }) =>
			section === undefined
				? [findingsOf(name).notChecked("its configuration is invalid")]
				: withinTime(name, LONGEST, check),
		);
		return (await Promise.all(checks)).flat();
	} finally {
		await patient.close();
	}
};

type Check = {
	name: string;
	/** the section it checks; undefined if that is invalid */
	section: unknown;
	check: () => Promise<Finding[]>;
};

const checksOf = (patient: Patient): Check[] => {
	const { config, pool, redis, mailer } = patient;
	const { http, secrets, database, mail, socialProviders } = config;
	const of = <Section>(
		name: string,
		section: Section | undefined,
		check: (section: Section) => Promise<Finding[]>,
	): Check => ({
		name,
		section,
		check: async () => (section === undefined ? [] : check(section)),
	});
	return [
		of("public url", http, checkPublicURL),
		of("secrets", secrets, (section) => checkSecrets(section, config.management)),
		of("tenants", config.tenants, checkTenants),
		of("database", database, checkDatabase),
		of("schema", database, () => checkSchema(patient)),
		of("rows", database, () => checkRows(pool)),
		of("jobs", database, () => checkJobs(pool)),
		of("stored credentials", database, () => checkStoredConfigs(patient)),
		of("rotation", database, () => checkRotation(patient)),
		of("redis", config.redis, (section) => checkRedis(section, redis)),
		of("mail", mail, (section) => checkMail(section, mailer)),
		of("tenant mail", mail && database && mail, (section) => checkTenantMail(section, pool)),
		of("providers", socialProviders, checkProviders),
		of("plugins", pluginsOf(config), checkPlugins),
		of("console", consoleOf(config), checkConsole),
		of("clock", patient, () => checkClock(pool, redis)),
	];
};

/** The sections that plugins depend on; undefined if one is invalid. */
const pluginsOf = (config: Partial<Config>): Parameters<typeof checkPlugins>[0] | undefined => {
	const { plugins, http, tenants, management, device, oauthProvider, passkey, sms } = config;
	if (!plugins || !http || !tenants || !management) return undefined;
	if (device === undefined || oauthProvider === undefined || passkey === undefined || sms === undefined)
		return undefined;
	return { plugins, http, tenants, management, device, oauthProvider, passkey, sms };
};

/** The sections that the console depends on; undefined if one is invalid. */
const consoleOf = ({ console, management, pages }: Partial<Config>): Parameters<typeof checkConsole>[0] | undefined =>
	console && management && pages && { console, management, pages };
