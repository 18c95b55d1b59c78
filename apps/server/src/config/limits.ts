import type { Values } from "./config.ts";
import { count, flag } from "./variables.ts";

export const limitVariables = {
	RATE_LIMIT: flag(true).meta({
		description: "Whether callers are limited; the engine has stricter limits for signing in",
	}),
	RATE_LIMIT_WINDOW: count(10, { least: 1, most: 3600 }).meta({
		description: "Seconds in which RATE_LIMIT_MAX holds",
	}),
	RATE_LIMIT_MAX: count(100).meta({
		description: "Requests of one address to one path in a window, in all tenants together",
	}),
};

export const readLimits = (values: Values) => ({
	enabled: values.RATE_LIMIT,
	window: values.RATE_LIMIT_WINDOW,
	max: values.RATE_LIMIT_MAX,
});
