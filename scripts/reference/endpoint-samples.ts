import type { Field } from "./schema-rows.ts";

/** A value for each field that an example needs. */
const SAMPLES: Record<string, unknown> = {
	id: "tenant-1",
	tenantId: "tenant-1",
	tenant: "tenant-1",
	name: "Acme",
	slug: "acme",
	domain: "login.acme.com",
	userId: "user-1",
	reason: "Ticket 4711",
	email: "ada@acme.com",
	password: "correct horse battery staple",
	providerId: "github",
	provider: "github",
	clientId: "client-id",
	clientSecret: "client-secret",
	callbackURL: "/dashboard",
	users: [{ email: "ada@acme.com", name: "Ada" }],
	limit: 100,
	role: "admin",
	token: "token-of-the-mail",
	invitationId: "invitation-1",
	policy: { methods: ["sso", "passkey"], minPasswordLength: null },
};

/** Optional fields that an example shows, because most callers send them. */
const SHOWN = new Set(["tenantId", "callbackURL", "limit"]);
/** `tenantId` is the same as `id` there, and it takes one of them. */
const INSTEAD: Record<string, string[]> = { "/tenant/get": ["slug"] };

/** The input of an example: all required fields, and the usual optional ones. */
export const sampleInput = (path: string, fields: Field[]): Record<string, unknown> => {
	const names = fields
		.filter(({ name }) => /^\w+$/.test(name))
		.filter(({ name, isRequired }) => INSTEAD[path]?.includes(name) ?? (isRequired || SHOWN.has(name)))
		.map(({ name }) => name);
	for (const name of names)
		if (!(name in SAMPLES)) throw new Error(`${path}: add an example value of ${name} to endpoint-samples.ts.`);
	return Object.fromEntries(names.map((name) => [name, SAMPLES[name]]));
};

/** An object as TypeScript, on one line. */
export const literal = (value: unknown): string => {
	if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const entries = Object.entries(value).map(([name, inner]) => `${name}: ${literal(inner)}`);
	return entries.length > 0 ? `{ ${entries.join(", ")} }` : "{}";
};

const BASE = "https://auth.example.com/api/auth";

/** A request with curl. */
export const curl = (
	method: string,
	path: string,
	input: Record<string, unknown>,
	credential: "key" | "session" | null,
): string => {
	const query = method === "GET" ? `?${new URLSearchParams(asTexts(input))}`.replace(/^\?$/, "") : "";
	const lines = [`curl '${BASE}${path}${query}'`];
	if (credential === "key") lines.push(`--header "Authorization: Bearer $MANAGEMENT_KEY"`);
	if (credential === "session") lines.push(`--header "Cookie: $SESSION_COOKIE"`);
	if (method === "POST") lines.push("--header 'Content-Type: application/json'", `--data '${JSON.stringify(input)}'`);
	return lines.join(" \\\n  ");
};

const asTexts = (input: Record<string, unknown>): Record<string, string> =>
	Object.fromEntries(Object.entries(input).map(([name, value]) => [name, String(value)]));
