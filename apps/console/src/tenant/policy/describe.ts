import { nameOf } from "../providers/provider-names.ts";
import type { Rule } from "./rules.ts";

const UNITS: [seconds: number, one: string, many: string][] = [
	[86_400, "day", "days"],
	[3_600, "hour", "hours"],
	[60, "minute", "minutes"],
	[1, "second", "seconds"],
];

/** The largest unit that divides the time: 7200 is "2 hours", 5400 is "90 minutes". */
export const splitDuration = (seconds: number): { amount: number; unit: number; name: string } => {
	const [unit, one, many] = UNITS.find(([size]) => seconds % size === 0) ?? [1, "second", "seconds"];
	const amount = seconds / unit;
	return { amount, unit, name: amount === 1 ? one : many };
};

const inWords = (seconds: number): string => {
	const { amount, name } = splitDuration(seconds);
	return `${amount} ${name}`;
};

const METHOD_NAMES: Record<string, string> = {
	password: "Email and password",
	username: "Username and password",
	phoneNumber: "Phone number",
	magicLink: "Link by mail",
	emailOtp: "Code by mail",
	passkey: "Passkey",
	anonymous: "Without an account",
	siwe: "Ethereum wallet",
	oneTap: "Google One Tap",
	sso: "SSO",
	device: "Another device",
};

/** The name of a method. `social:google` is the provider Google. */
export const nameMethod = (method: string): string =>
	method.startsWith("social:") ? nameOf(method.slice("social:".length)) : (METHOD_NAMES[method] ?? method);

const date = new Intl.DateTimeFormat("en", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });

/** The value of a rule in words. */
export const describeValue = (rule: Rule, value: unknown): string => {
	switch (rule.kind) {
		case "number":
			if (rule.atMin && value === rule.min) return rule.atMin;
			return value === false ? "No limit" : `${value} ${rule.unit}`;
		case "duration":
			return typeof value === "number" ? inWords(value) : rule.off;
		case "yes-no":
			return value === true ? rule.yes : rule.no;
		case "choice":
			return rule.values[String(value)] ?? String(value);
		case "list":
			return Array.isArray(value) && value.length > 0 ? value.join(", ") : rule.any || "None";
		case "methods":
			return Array.isArray(value)
				? value.map((method) => nameMethod(String(method))).join(", ")
				: "All that the service offers";
		case "rate":
			return isRate(value) ? `${value.max} requests in ${inWords(value.window)}` : "No separate limit";
		case "date":
			return typeof value === "string" ? `${date.format(new Date(value))} UTC` : rule.off;
	}
};

export const isRate = (value: unknown): value is { window: number; max: number } =>
	typeof value === "object" && value !== null && "window" in value && "max" in value;
