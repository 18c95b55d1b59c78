import type { Feature } from "../../api/console.ts";
import type { RuleName } from "../../api/policy.ts";

/** How a rule is entered. `canBeOff`: the value `false` means that there is no limit. `atMin`: what the smallest value says. */
type RuleKind =
	| { kind: "number"; unit: string; min: number; max: number; canBeOff?: true; atMin?: string }
	| { kind: "duration"; off: string }
	| { kind: "yes-no"; yes: string; no: string }
	| { kind: "choice"; values: Record<string, string> }
	| { kind: "list"; any: string; placeholder: string; each: string; isUserIds?: true }
	| { kind: "methods" }
	| { kind: "rate" }
	| { kind: "date"; off: string };

export type Rule = RuleKind & { name: RuleName; title: string; says: string; needs?: Feature };

type Group = { title: string; rules: Rule[] };

/** The rules of a policy, in the order of the page. docs/policy.md describes them. */
export const RULE_GROUPS: Group[] = [
	{
		title: "Sign-in methods",
		rules: [
			{
				name: "methods",
				title: "Allowed methods",
				says: "Sessions of other methods end.",
				kind: "methods",
			},
			{
				name: "breakGlassUserIds",
				title: "Emergency users",
				says: "They can always sign in with email and password, for example while the identity provider is down.",
				kind: "list",
				any: "",
				placeholder: "User id",
				each: "One user id per line.",
				isUserIds: true,
			},
		],
	},
	{
		title: "Passwords",
		rules: [
			{
				name: "minPasswordLength",
				title: "Shortest password",
				says: "For new passwords. Existing ones still work.",
				kind: "number",
				unit: "characters",
				min: 1,
				max: 128,
				atMin: "What the service requires",
			},
			{
				name: "maxPasswordLength",
				title: "Longest password",
				says: "For new passwords.",
				kind: "number",
				unit: "characters",
				min: 8,
				max: 4096,
				canBeOff: true,
			},
			{
				name: "refuseBreachedPasswords",
				title: "Breached passwords",
				says: "Whether to refuse new passwords from known data breaches.",
				kind: "yes-no",
				yes: "Refused",
				no: "Accepted",
			},
			{
				name: "minPasswordScore",
				title: "Strength",
				says: "The minimum score of a new password, 0 to 4.",
				kind: "number",
				unit: "of 4",
				min: 0,
				max: 4,
				atMin: "Not checked",
			},
		],
	},
	{
		title: "Second factor",
		rules: [
			{
				name: "secondFactor",
				title: "Who needs one",
				says: "An authenticator app, for every sign-in method.",
				kind: "choice",
				values: {
					optional: "Nobody. Users can set one up",
					"required-for-admins": "Owners and admins",
					required: "Everybody",
				},
				needs: "twoFactor",
			},
			{
				name: "secondFactorFrom",
				title: "From when",
				says: "Until then, users without one can still sign in.",
				kind: "date",
				off: "At once",
				needs: "twoFactor",
			},
			{
				name: "secondFactorGrace",
				title: "Time for new users",
				says: "How long new users have to set one up.",
				kind: "duration",
				off: "None",
				needs: "twoFactor",
			},
			{
				name: "trustSso",
				title: "After SSO",
				says: "Whether a sign-in at the tenant's identity provider is sufficient.",
				kind: "yes-no",
				yes: "Not needed",
				no: "Needed too",
				needs: "sso",
			},
			{
				name: "trustPasskeys",
				title: "With a passkey",
				says: "Whether a passkey with user verification counts as two factors.",
				kind: "yes-no",
				yes: "Not needed",
				no: "Needed too",
				needs: "passkey",
			},
			{
				name: "trustDevices",
				title: "Trusted devices",
				says: "Whether users can skip it on trusted devices.",
				kind: "yes-no",
				yes: "Allowed",
				no: "Not allowed",
				needs: "twoFactor",
			},
		],
	},
	{
		title: "Sessions",
		rules: [
			{
				name: "sessionMaxAge",
				title: "Longest session",
				says: "A session ends after this time, even if the user is active.",
				kind: "duration",
				off: "No limit",
			},
			{
				name: "sessionIdleTime",
				title: "Idle time",
				says: "A session ends after this time without a request.",
				kind: "duration",
				off: "No limit",
			},
			{
				name: "maxSessions",
				title: "Sessions per user",
				says: "A new session ends the oldest.",
				kind: "number",
				unit: "at once",
				min: 1,
				max: 1000,
				canBeOff: true,
			},
		],
	},
	{
		title: "Sign-up",
		rules: [
			{
				name: "signUp",
				title: "Who can sign up",
				says: "Admins can create users in any case.",
				kind: "choice",
				values: {
					open: "Everybody",
					domain: "Users with a verified email of the domains below",
					invitation: "Invited users",
					closed: "Nobody",
				},
			},
			{
				name: "emailDomains",
				title: "Email domains",
				says: "For new users and changed emails. Subdomains are not included.",
				kind: "list",
				any: "All domains",
				placeholder: "acme.com",
				each: "One domain per line.",
			},
		],
	},
	{
		title: "Network",
		rules: [
			{
				name: "ipRanges",
				title: "IP addresses",
				says: "Where users can sign in and use their sessions from.",
				kind: "list",
				any: "All addresses",
				placeholder: "203.0.113.0/24",
				each: "One address or range per line.",
			},
			{
				name: "rateLimit",
				title: "Rate limit",
				says: "The most requests to the whole tenant.",
				kind: "rate",
			},
		],
	},
];
