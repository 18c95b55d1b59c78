import { defineSection } from "./section.ts";
import { count } from "./variables.ts";

export const sessionSection = defineSection(
	{
		SESSION_MAX_AGE: count(604_800, { least: 60, most: 31_536_000 }).meta({
			description: "Seconds until an unused session expires",
		}),
		SESSION_UPDATE_AGE: count(86_400, { least: 0, most: 31_536_000 }).meta({
			description: "Seconds after which a session in use is extended",
		}),
		COOKIE_CACHE_MAX_AGE: count(0, { least: 0, most: 3600 }).meta({
			description: "Seconds to trust a session from its signed cookie alone; 0 checks every time",
		}),
	},
	(values) => ({
		maxAge: values.SESSION_MAX_AGE,
		updateAge: values.SESSION_UPDATE_AGE,
		cookieCacheMaxAge: values.COOKIE_CACHE_MAX_AGE,
	}),
);

export type SessionConfig = ReturnType<(typeof sessionSection)["read"]>;
