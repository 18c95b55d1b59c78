import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import type * as plugins from "better-auth/plugins";

const DOMAIN = "example.com";

export type Setup = {
	name: string;
	baseURL: BetterAuthOptions["baseURL"];
	/** the host that the n-th request is sent to */
	hostOf: (number: number) => string;
	plugins: (from: typeof plugins) => BetterAuthPlugin[];
};

const HOSTS = 10;

/** What the cost of a request depends on: where the base URL comes from, and how many endpoints there are. */
export const SETUPS = {
	fixed: {
		name: "`baseURL` is a string",
		baseURL: `http://${DOMAIN}`,
		hostOf: () => DOMAIN,
		plugins: () => [],
	},
	dynamic: {
		name: "`baseURL` has `allowedHosts`",
		baseURL: { allowedHosts: [`*.${DOMAIN}`], protocol: "http" },
		hostOf: (number) => `host-${number % HOSTS}.${DOMAIN}`,
		plugins: () => [],
	},
	plugins: {
		name: "`baseURL` is a string, with plugins",
		baseURL: `http://${DOMAIN}`,
		hostOf: () => DOMAIN,
		plugins: ({ admin, anonymous, emailOTP, jwt, magicLink, multiSession, organization, twoFactor, username }) => [
			admin(),
			anonymous(),
			emailOTP({ sendVerificationOTP: async () => undefined }),
			jwt(),
			magicLink({ sendMagicLink: async () => undefined }),
			multiSession(),
			organization({ teams: { enabled: true }, dynamicAccessControl: { enabled: true } }),
			twoFactor(),
			username(),
		],
	},
} satisfies Record<string, Setup>;

export type SetupName = keyof typeof SETUPS;
export const SETUP_NAMES = ["fixed", "dynamic", "plugins"] as const satisfies readonly SetupName[];
