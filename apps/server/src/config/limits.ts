import { defineSection } from "./section.ts";
import { count, flag } from "./variables.ts";

export const limitsSection = defineSection(
	{
		RATE_LIMIT: flag(true).meta({
			description: "Whether to rate limit callers. Sign-in and mail have their own limits",
		}),
		RATE_LIMIT_WINDOW: count(10, { least: 1, most: 3600 }).meta({
			description: "The window of RATE_LIMIT_MAX in seconds",
		}),
		RATE_LIMIT_MAX: count(100).meta({
			description: "Requests per window from one address to one path, over all tenants",
		}),
		SIGN_IN_RATE_LIMIT_WINDOW: count(10, { least: 1, most: 3600 }).meta({
			description: "The window of SIGN_IN_RATE_LIMIT_MAX in seconds",
		}),
		SIGN_IN_RATE_LIMIT_MAX: count(20).meta({
			description:
				"Requests per window from one address to one path that checks a password, a code or a link, over all tenants. Raise it if many users share an address",
		}),
		MAIL_RATE_LIMIT_WINDOW: count(60, { least: 1, most: 3600 }).meta({
			description: "The window of MAIL_RATE_LIMIT_MAX in seconds",
		}),
		MAIL_RATE_LIMIT_MAX: count(10).meta({
			description: "Requests per window from one address to one path that sends a mail or signs up, over all tenants",
		}),
		TENANT_RATE_LIMIT_MAX: count(0, { least: 0 }).meta({
			description: "Requests per window to one tenant, from all addresses and to all paths; 0 means no limit",
		}),
		USER_RATE_LIMIT_MAX: count(100, { least: 0 }).meta({
			description:
				"Requests per ten minutes to one path that target the same user of a tenant, from all addresses, such as password attempts or mails; 0 means no limit",
		}),
		CODE_RATE_LIMIT_MAX: count(60, { least: 0 }).meta({
			description:
				"Codes per day that may be tried for one user of a tenant, from all addresses and to all paths: mailed codes, codes in text messages, of authenticator apps, and backup codes; 0 means no limit",
		}),
		NETWORK_SHARE: count(10_000).meta({
			description:
				"Kilobytes per hour that one address (IPv4, or an IPv6 /56) may store for a short time, over all tenants: codes, links, OAuth states, device codes, and one for each user at whom a password or a code is tried. Each request counts as at least one. Also the codes that one address may try in a day. Raise it if many users share an address",
		}),
		TENANT_SHARE: count(50_000).meta({
			description:
				"Kilobytes per hour that the signed-in users of one tenant may store for a short time, and the same again for everyone else. Also the passwords that each of the two may try in ten minutes",
		}),
		TENANT_REQUESTS_AT_ONCE: count(100, { most: 100_000 }).meta({
			description:
				"Requests per tenant that one process handles or keeps waiting. Further requests get 503 TENANT_BUSY immediately",
		}),
		TENANT_REQUESTS_RUNNING: count(5, { most: 100_000 }).meta({
			description:
				"How many of them run at the same time. The others wait. A request that takes longer than 50 ms stops counting here",
		}),
		OTHER_REQUESTS_AT_ONCE: count(1000, { most: 100_000 }).meta({
			description:
				"Concurrent requests without a tenant, and separately those whose tenant is not yet known or does not exist. Further requests get 503 SERVER_BUSY",
		}),
	},
	(values) => ({
		enabled: values.RATE_LIMIT,
		window: values.RATE_LIMIT_WINDOW,
		max: values.RATE_LIMIT_MAX,
		signIn: { window: values.SIGN_IN_RATE_LIMIT_WINDOW, max: values.SIGN_IN_RATE_LIMIT_MAX },
		mail: { window: values.MAIL_RATE_LIMIT_WINDOW, max: values.MAIL_RATE_LIMIT_MAX },
		perTenant: values.TENANT_RATE_LIMIT_MAX > 0 && {
			window: values.RATE_LIMIT_WINDOW,
			max: values.TENANT_RATE_LIMIT_MAX,
		},
		perUser: values.USER_RATE_LIMIT_MAX > 0 && { window: 600, max: values.USER_RATE_LIMIT_MAX },
		codesPerUser: values.CODE_RATE_LIMIT_MAX > 0 && { window: 86_400, max: values.CODE_RATE_LIMIT_MAX },
		shares: { perNetwork: values.NETWORK_SHARE, perTenant: values.TENANT_SHARE },
		atOnce: {
			perTenant: values.TENANT_REQUESTS_AT_ONCE,
			runningPerTenant: values.TENANT_REQUESTS_RUNNING,
			others: values.OTHER_REQUESTS_AT_ONCE,
		},
	}),
);
