import { socialProviders } from "better-auth/social-providers";
import type { SocialProviderConfig } from "../config/social-providers.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("providers");

/** Milliseconds until a provider must have answered. */
const LONGEST = 5_000;

/** Whether the pages to which people are sent to sign in are there. */
export const checkProviders = async (providers: Record<string, SocialProviderConfig>): Promise<Finding[]> => {
	const names = Object.keys(providers);
	if (names.length === 0) return [ok("No global provider is configured")];
	const pages = new Map<string, URL | null>();
	for (const [name, config] of Object.entries(providers)) pages.set(name, await findPage(name, config));
	const checks = names.map((name) => checkProvider(name, providers[name] ?? {}, pages.get(name) ?? null));
	return (await Promise.all(checks)).flat();
};

const checkProvider = async (name: string, config: SocialProviderConfig, page: URL | null): Promise<Finding[]> => {
	if (!page)
		return [
			wrong(
				`${name} cannot be used as it is configured`,
				`See docs/providers.md for what SOCIAL_${name.toUpperCase()}_… it needs.`,
			),
		];
	const findings: Finding[] = [];
	if (!config.clientSecret)
		findings.push(
			warning(
				`${name} has no client secret`,
				`Set SOCIAL_${name.toUpperCase()}_CLIENT_SECRET, unless the client is a public one.`,
			),
		);
	try {
		const began = performance.now();
		// the page alone, without a client id or anything else that is ours
		const { status } = await fetch(page, { redirect: "manual", signal: AbortSignal.timeout(LONGEST) });
		const says = `${name}: ${page.host} answers in ${Math.round(performance.now() - began)} ms`;
		findings.push(
			status >= 500 ? warning(`${says}, with status ${status}`, "See the provider's own status page.") : ok(says),
		);
	} catch (error) {
		const { says, mend } = describeFailure(error);
		findings.push(wrong(`${name}: ${page.host}: ${says}`, mend));
	}
	return findings;
};

/** Where people would be sent, by the engine's own reckoning; null where it refuses what is configured. */
const findPage = async (name: string, config: SocialProviderConfig): Promise<URL | null> => {
	const create: ((options: never) => Pages) | undefined = Object.hasOwn(socialProviders, name)
		? socialProviders[name as keyof typeof socialProviders]
		: undefined;
	try {
		const url = await create?.(config as never).createAuthorizationURL({
			state: "doctor",
			codeVerifier: "doctor-doctor-doctor-doctor-doctor-doctor-doctor",
			redirectURI: "https://localhost/",
		});
		return url ? new URL(`${url.origin}${url.pathname}`) : null;
	} catch {
		return null;
	}
};

type Pages = {
	createAuthorizationURL: (flow: { state: string; codeVerifier: string; redirectURI: string }) => URL | Promise<URL>;
};
