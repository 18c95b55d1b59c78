import { ENDPOINTS, endpointOf } from "better-auth-tenants/src/endpoints/endpoints.ts";
import { expect, it } from "vitest";
import * as z from "zod";
import { createSurface } from "./engine.ts";

const NAMES = ["email", "newEmail", "username", "phoneNumber"];
const CODES = ["otp", "code"];

/** Bodies with a code that no user is sent: the long code of a redirect. */
const REDIRECTED = ["/callback/:id", "/callback/:id/oauth-proxy", "/oauth2/token"];
/** Bodies with more names than their schema: plugins read their fields of a user. */
const USERS = ["/sign-up/email", "/tenant/sign-up/email", "/update-user", "/tenant/invitation/accept"];

type Endpoint = { path?: string; options?: { body?: unknown } };
type Schema = { properties?: object } & Partial<Record<"allOf" | "anyOf" | "oneOf", Schema[]>>;

/** The fields of a body by which its endpoint names users or takes a code. */
const fieldsOf = (body: unknown): string[] => {
	if (!(body instanceof z.ZodType)) return [];
	return namesIn(JSON.parse(JSON.stringify(z.toJSONSchema(body, { unrepresentable: "any", io: "input" }))));
};

const namesIn = ({ properties = {}, allOf = [], anyOf = [], oneOf = [] }: Schema): string[] => [
	...Object.keys(properties),
	...[...allOf, ...anyOf, ...oneOf].flatMap(namesIn),
];

// threat 160
it("knows the fields of every body by which a user is named or a code is tried", async () => {
	const { auth } = await createSurface();
	const inBodies: Record<string, unknown> = {};
	const inTable: Record<string, unknown> = {};
	for (const { path, options } of Object.values(auth.api) as Endpoint[]) {
		// an endpoint without a row is served to server code only, and otherwise may name anyone
		if (!path || !(path in ENDPOINTS) || endpointOf(path).kind === "management") continue;
		const fields = fieldsOf(options?.body);
		const names = NAMES.filter((name) => fields.includes(name));
		const takesCode = CODES.some((code) => fields.includes(code)) && !REDIRECTED.includes(path);
		const { namesUsers, takesCode: known } = endpointOf(path);
		if (names.length > 0 || takesCode) inBodies[path] = [names.toSorted(), takesCode];
		const listed = USERS.includes(path) ? namesUsers.filter((name) => names.includes(name)) : namesUsers;
		if (listed.length > 0 || known) inTable[path] = [listed.toSorted(), known];
	}
	expect(inTable).toEqual(inBodies);
	expect(Object.keys(inTable).length).toBeGreaterThan(20);
});
