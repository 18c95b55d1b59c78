import { socialProviders } from "better-auth/social-providers";
import type { SocialProviderConfig } from "../config/social-providers.ts";
import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";

const { ok, warning, wrong } = findingsOf("providers");

/** Maximum milliseconds to wait for a provider. */
const LONGEST = 5_000;

/** Checks that the sign-in pages of the providers are reachable. */
export const checkProviders = async (providers: Record<string, SocialProviderConfig>): Promise<Finding[]> => {
	const names = Object.keys(providers);
	if (names.length === 0) return [ok("No global providers are configured")];
	const pages = new Map<string, URL | null>();
	for (const [name, config] of Object.entries(providers)) pages.set(name, await findPage(name, config));
	const checks = names.map((name) => checkProvider(name, providers[name] ?? {}, pages.get(name) ?? null));
	return (await Promise.all(checks)).flat();
};

const checkProvider = async (name: string, config: SocialProviderConfig, page: URL | null): Promise<Finding[]> => {
	if (!page)
		return [
			wrong(
				`${name} is not configured correctly`,
				`See docs/providers.md for the SOCIAL_${name.toUpperCase()}_… variables it needs.`,
			),
		];
	const findings: Finding[] = [];
	if (!config.clientSecret)
		findings.push(
			warning(
				`${name} has no client secret`,
				`Set SOCIAL_${name.toUpperCase()}_CLIENT_SECRET, unless it is a public client.`,
			),
		);
	try {
		const began = performance.now();
		// only the page, without a client id or other configuration
		const { status } = await fetch(page, { redirect: "manual", signal: AbortSignal.timeout(LONGEST) });
		const says = `${name}: ${page.host} responds in ${Math.round(performance.now() - began)} ms`;
		findings.push(
			status >= 500 ? warning(`${says}, with status ${status}`, "Check the provider's status page.") : ok(says),
		);
	} catch (error) {
		const { says, fix } = describeFailure(error);
		findings.push(wrong(`${name}: ${page.host}: ${says}`, fix));
	}
	return findings;
};

/** The sign-in page as computed by the engine; null if it rejects the configuration. */
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
