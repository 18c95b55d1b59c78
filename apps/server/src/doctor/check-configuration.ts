import { type Config, readConfig, VARIABLES } from "../config/config.ts";
import { consoleSection } from "../config/console.ts";
import { databaseSection } from "../config/database.ts";
import { deviceSection } from "../config/device.ts";
import { httpSection } from "../config/http.ts";
import { mailSection } from "../config/mail.ts";
import { managementSection } from "../config/management.ts";
import { ConfigurationError } from "../config/mistakes.ts";
import { findNearMisses } from "../config/near-misses.ts";
import { oauthProviderSection } from "../config/oauth-provider.ts";
import { pagesSection } from "../config/pages.ts";
import { passkeySection } from "../config/passkey.ts";
import { pluginsSection } from "../config/plugins.ts";
import { redisSection } from "../config/redis.ts";
import { type Environment, readSecretFiles } from "../config/secret-files.ts";
import { secretsSection } from "../config/secrets.ts";
import type { Section, Variables } from "../config/section.ts";
import { smsSection } from "../config/sms.ts";
import { readSocialProviders } from "../config/social-providers.ts";
import { tenantsSection } from "../config/tenants.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("configuration");

/** The parsed configuration, or the sections without mistakes. */
type Examined = { findings: Finding[]; config: Partial<Config> };

/** Reads the configuration. Sections without mistakes are still checked. */
export const checkConfiguration = (environment: Environment): Examined => {
	try {
		const config = readConfig(environment);
		const doubts = config.doubts.map(({ says, fix }) => warning(says, fix));
		return { findings: [ok("Complete and valid"), ...doubts], config };
	} catch (error) {
		if (!(error instanceof ConfigurationError)) throw error;
		const { mistakes } = error;
		const nearMisses = findNearMisses(environment, Object.keys(VARIABLES)).map(({ says, fix }) => warning(says, fix));
		return {
			findings: [...mistakes.map(sayMistake), ...nearMisses],
			config: readSections(environment, mistakes),
		};
	}
};

/** Splits a mistake into what is wrong and how to fix it. */
const sayMistake = (mistake: string): Finding => {
	const at = mistake.indexOf(". ");
	return at < 0 ? wrong(mistake) : wrong(mistake.slice(0, at), `${mistake.slice(at + 2)}.`);
};

const readSections = (environment: Environment, mistakes: readonly string[]): Partial<Config> => {
	const given = readSecretFiles(environment, []);
	const values: Record<string, unknown> = {};
	for (const [name, variable] of Object.entries(VARIABLES)) {
		const parsed = variable.safeParse(given[name]);
		if (parsed.success) values[name] = parsed.data;
	}
	// each mistake starts with the name of its variable
	const mistaken = new Set(mistakes.map((mistake) => mistake.split(/\W/, 1)[0]));
	const section = <Own extends Variables, Needed extends Variables, Optional extends Variables, Result>({
		reads,
		read,
	}: Section<Own, Needed, Optional, Result>): Result | undefined => {
		const isBroken = reads.some((name) => !(name in values) || mistaken.has(name) || mistaken.has(`${name}_FILE`));
		// all of them were parsed above
		return isBroken ? undefined : read(values as Parameters<typeof read>[0], []);
	};
	const http = section(httpSection);
	const secrets = section(secretsSection);
	const database = section(databaseSection);
	const redis = section(redisSection);
	const mail = section(mailSection);
	const management = section(managementSection);
	const tenants = section(tenantsSection);
	const plugins = section(pluginsSection);
	const pages = section(pagesSection);
	const console = section(consoleSection);
	const device = section(deviceSection);
	const oauthProvider = section(oauthProviderSection);
	const passkey = section(passkeySection);
	const sms = section(smsSection);
	return {
		...(http ? { http } : {}),
		...(secrets ? { secrets } : {}),
		...(database ? { database } : {}),
		...(redis === undefined ? {} : { redis }),
		...(mail ? { mail } : {}),
		...(management ? { management } : {}),
		...(tenants ? { tenants } : {}),
		...(plugins ? { plugins } : {}),
		...(pages ? { pages } : {}),
		...(console ? { console } : {}),
		...(device === undefined ? {} : { device }),
		...(oauthProvider === undefined ? {} : { oauthProvider }),
		...(passkey === undefined ? {} : { passkey }),
		...(sms === undefined ? {} : { sms }),
		...(mistakes.some((mistake) => mistake.startsWith("SOCIAL_"))
			? {}
			: { socialProviders: readSocialProviders(given, []) }),
	};
};
