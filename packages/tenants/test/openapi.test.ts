import { openAPI } from "better-auth/plugins";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";

type Schema = { description?: string; properties?: Record<string, Schema>; items?: Schema };
type Content = Record<string, { schema?: Schema }>;
type Operation = {
	description?: string;
	requestBody?: { content: Content };
	parameters?: { name: string; in: string; description?: string; schema?: Schema }[];
	responses: Record<string, { description: string; content?: Content }>;
};

/** The names of all fields without a description, at every level. */
const undescribed = ({ properties = {}, items }: Schema = {}): string[] => [
	...Object.entries(properties).flatMap(([name, field]) => [
		...(field.description ? [] : [name]),
		...undescribed(field).map((inner) => `${name}.${inner}`),
	]),
	...(items ? undescribed(items) : []),
];

const ENDPOINTS: Record<string, { method: "get" | "post"; input: string[]; answer: string }> = {
	"/tenant/create": { method: "post", input: ["name", "slug", "metadata"], answer: "200" },
	"/tenant/get": { method: "get", input: ["id", "tenantId", "slug"], answer: "200" },
	"/tenant/list": { method: "get", input: ["limit", "cursor"], answer: "200" },
	"/tenant/methods": { method: "get", input: ["tenantId"], answer: "200" },
	"/tenant/current": { method: "get", input: ["tenantId"], answer: "200" },
	"/tenant/update": { method: "post", input: ["tenantId", "name", "slug", "metadata"], answer: "200" },
	"/tenant/delete": { method: "post", input: ["tenantId"], answer: "200" },
	"/tenant/domain/add": { method: "post", input: ["tenantId", "domain"], answer: "200" },
	"/tenant/domain/list": { method: "get", input: ["tenantId"], answer: "200" },
	"/tenant/domain/remove": { method: "post", input: ["tenantId", "domain"], answer: "200" },
	"/tenant/impersonate": { method: "post", input: ["tenantId", "userId", "reason"], answer: "200" },
	"/tenant/import": {
		method: "post",
		input: ["id", "name", "slug", "metadata", "createdAt", "updatedAt"],
		answer: "200",
	},
	"/tenant/export-users": { method: "get", input: ["tenantId", "limit", "cursor"], answer: "200" },
	"/tenant/import-users": { method: "post", input: ["tenantId", "users"], answer: "200" },
	"/tenant/sign-up/email": {
		method: "post",
		input: ["tenantId", "name", "email", "password", "image", "callbackURL", "rememberMe"],
		answer: "200",
	},
	"/tenant/sign-in/email": {
		method: "post",
		input: ["tenantId", "email", "password", "callbackURL", "rememberMe"],
		answer: "200",
	},
	"/tenant/oauth-config/register": {
		method: "post",
		input: ["tenantId", "providerId", "clientId", "clientSecret", "scopes", "redirectURI", "enabled", "options"],
		answer: "200",
	},
	"/tenant/oauth-config/list": { method: "get", input: ["tenantId"], answer: "200" },
	"/tenant/oauth-config/delete": { method: "post", input: ["tenantId", "providerId"], answer: "200" },
	"/tenant/oauth-config/test": { method: "post", input: ["tenantId", "providerId", "callbackURL"], answer: "200" },
	"/tenant/sign-in/social": {
		method: "post",
		input: ["tenantId", "provider", "callbackURL", "errorCallbackURL"],
		answer: "200",
	},
	"/tenant/callback/{id}": { method: "get", input: ["id", "code", "state"], answer: "302" },
	"/tenant/shared-callback/{id}": { method: "get", input: ["id", "code", "state"], answer: "302" },
	"/tenant/callback/{id}/{tenant}": { method: "get", input: ["id", "tenant", "code", "state"], answer: "302" },
};

describe("openAPI()", () => {
	// threat 54
	it("lists all endpoints of the plugin with input and response", async () => {
		const world = await createWorld({ plugins: [openAPI()] });
		const { paths } = JSON.parse((await world.call("/open-api/generate-schema")).text) as {
			paths: Record<string, Record<string, Operation>>;
		};
		expect(
			Object.keys(paths)
				.filter((path) => path.startsWith("/tenant/"))
				.sort(),
		).toEqual(Object.keys(ENDPOINTS).sort());
		for (const [path, { method, input, answer }] of Object.entries(ENDPOINTS)) {
			const operation = paths[path]?.[method];
			expect([path, operation?.description?.length]).not.toEqual([path, undefined]);
			const body = Object.keys(operation?.requestBody?.content["application/json"]?.schema?.properties ?? {});
			const shown = [...body, ...(operation?.parameters ?? []).map(({ name }) => name)];
			expect([path, input.filter((name) => !shown.includes(name))]).toEqual([path, []]);
			expect([path, Object.keys(operation?.responses ?? {}).includes(answer)]).toEqual([path, true]);
			const lacking = [
				...undescribed(operation?.requestBody?.content["application/json"]?.schema),
				...(operation?.parameters ?? [])
					.filter(({ description, schema }) => !(description ?? schema?.description))
					.map(({ name }) => name),
				...undescribed(operation?.responses[answer]?.content?.["application/json"]?.schema),
			];
			expect([path, lacking]).toEqual([path, []]);
		}
		expect(JSON.stringify(paths["/tenant/oauth-config/list"]?.get?.responses)).not.toContain("clientSecret");
	});
});
