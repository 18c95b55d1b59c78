import { expect, it } from "vitest";
import { describeValue } from "../../src/tenant/policy/describe.ts";
import { readRule } from "../../src/tenant/policy/read-rule.ts";
import { RULE_GROUPS, type Rule } from "../../src/tenant/policy/rules.ts";

const RULES = RULE_GROUPS.flatMap(({ rules }) => rules);

const rule = (name: string): Rule => {
	const found = RULES.find((one) => one.name === name);
	if (!found) throw new Error(`${name} is unknown`);
	return found;
};

const formOf = (entries: [string, string][]): FormData => {
	const form = new FormData();
	for (const [name, value] of entries) form.append(name, value);
	return form;
};

it("has each rule once", () => {
	expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
	expect(RULES).toHaveLength(19);
});

it.each<[string, [string, string][], unknown]>([
	["minPasswordLength", [["value", "14"]], 14],
	["maxPasswordLength", [["limit", "off"]], false],
	[
		"sessionMaxAge",
		[
			["limit", "on"],
			["value", "8"],
			["unit", "3600"],
		],
		28_800,
	],
	[
		"methods",
		[
			["limit", "on"],
			["value", "password"],
			["value", "passkey"],
		],
		["password", "passkey"],
	],
	["methods", [["limit", "off"]], "any"],
	[
		"emailDomains",
		[
			["limit", "on"],
			["value", "acme.com\n acme.de,"],
		],
		["acme.com", "acme.de"],
	],
	["breakGlassUserIds", [["value", ""]], []],
	[
		"rateLimit",
		[
			["limit", "on"],
			["max", "100"],
			["value", "1"],
			["unit", "60"],
		],
		{ max: 100, window: 60 },
	],
	[
		"secondFactorFrom",
		[
			["limit", "on"],
			["value", "2027-01-31"],
		],
		"2027-01-31T00:00:00Z",
	],
	["trustDevices", [["value", "no"]], false],
])("reads %s from %j", (name, entries, expected) => {
	expect(readRule(rule(name), formOf(entries))).toEqual(expected);
});

it("describes values in words", () => {
	expect(describeValue(rule("sessionMaxAge"), 5_400)).toBe("90 minutes");
	expect(describeValue(rule("sessionMaxAge"), false)).toBe("No limit");
	expect(describeValue(rule("methods"), ["password", "social:github"])).toBe("Email and password, GitHub");
	expect(describeValue(rule("rateLimit"), { max: 100, window: 60 })).toBe("100 requests in 1 minute");
});
