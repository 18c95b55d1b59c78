import { defineSection } from "./section.ts";
import { count, flag } from "./variables.ts";

export const limitsSection = defineSection(
	{
		RATE_LIMIT: flag(true).meta({
			description: "Whether callers are limited; the engine has stricter limits for signing in",
		}),
		RATE_LIMIT_WINDOW: count(10, { least: 1, most: 3600 }).meta({
			description: "Seconds in which RATE_LIMIT_MAX holds",
		}),
		RATE_LIMIT_MAX: count(100).meta({
			description: "Requests of one address to one path in a window, in all tenants together",
		}),
		TENANT_RATE_LIMIT_MAX: count(0, { least: 0 }).meta({
			description: "Requests of one tenant in a window, from all addresses and to all paths; 0 sets no limit",
		}),
		USER_RATE_LIMIT_MAX: count(100, { least: 0 }).meta({
			description:
				"Requests in ten minutes that target one user of a tenant on one path, from all addresses, such as sign-ins and password reset mails; 0 sets no limit",
		}),
		TENANT_REQUESTS_AT_ONCE: count(100, { most: 100_000 }).meta({
			description:
				"Requests of one tenant that this process works on at the same time; the next is a 503 TENANT_BUSY at once",
		}),
		OTHER_REQUESTS_AT_ONCE: count(1000, { most: 100_000 }).meta({
			description:
				"The same for requests of no tenant, and for those whose tenant is not known yet or does not exist, each by themselves; the next is a 503 SERVER_BUSY",
		}),
	},
	(values) => ({
		enabled: values.RATE_LIMIT,
		window: values.RATE_LIMIT_WINDOW,
		max: values.RATE_LIMIT_MAX,
		perTenant: values.TENANT_RATE_LIMIT_MAX > 0 && {
			window: values.RATE_LIMIT_WINDOW,
			max: values.TENANT_RATE_LIMIT_MAX,
		},
		perUser: values.USER_RATE_LIMIT_MAX > 0 && { window: 600, max: values.USER_RATE_LIMIT_MAX },
		atOnce: { perTenant: values.TENANT_REQUESTS_AT_ONCE, others: values.OTHER_REQUESTS_AT_ONCE },
	}),
);
