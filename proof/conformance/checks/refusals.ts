import assert from "node:assert/strict";
import * as z from "zod";
import { type Checks, check } from "../check.ts";
import { refused } from "../expect.ts";
import {
	askCreateTenant,
	askRegister,
	askSignIn,
	askSignUp,
	createTenant,
	deleteConfig,
	getTenant,
	newCredentials,
	newPerson,
	newSlug,
	type Place,
	random,
	registerConfig,
	twoTenants,
} from "../place.ts";
import { askSocial, UNCONFIGURED } from "../social.ts";

const nobody = () => ({ id: `missing${random()}`, name: "Nobody", slug: newSlug() });

const askCreate = (place: Place, fields: Record<string, unknown>) =>
	askCreateTenant(place, { name: "Tenant", slug: newSlug(), ...fields });

export const refusalChecks = {
	"D-25": check("reads the bodies of all kinds of errors", async ({ standard }) => {
		const tenant = await createTenant(standard);
		const answers = [
			await standard.visitor().get("/tenant/list"),
			await askCreate(standard, { slug: tenant.slug }),
			await askCreate(standard, { slug: "Not A Slug" }),
			await askCreate(standard, { name: 7 }),
			await getTenant(standard, { id: nobody().id }),
			await askSignIn(standard.visitor(), tenant, newPerson()),
			await askSocial(standard.visitor(), tenant, { provider: UNCONFIGURED }),
		];
		for (const answer of answers) {
			refused(answer);
			const body = z.object({ code: z.string().regex(/^[A-Z_]+$/), message: z.string().min(1) }).safeParse(answer.json);
			assert.ok(body.success, `${answer.request} answered ${answer.text}`);
		}
	}),
	// threat 34
	"D-26": check("calls six endpoints without naming a tenant", async ({ standard }) => {
		const { operator } = standard;
		const visitor = standard.visitor();
		const github = { providerId: "github" };
		const answers = [
			await visitor.post("/tenant/sign-up/email", { body: newPerson() }),
			await visitor.post("/tenant/sign-in/email", { body: newPerson() }),
			await visitor.post("/tenant/sign-in/social", { body: { provider: "github" } }),
			await operator.post("/tenant/oauth-config/register", { body: { ...github, ...newCredentials() } }),
			await operator.get("/tenant/oauth-config/list"),
			await operator.post("/tenant/oauth-config/delete", { body: github }),
		];
		for (const answer of answers) refused(answer, 400, "TENANT_ID_REQUIRED");
	}),
	// threat 32
	"D-27": check("names a tenant by strings that cannot be an id", async ({ standard }) => {
		for (const tenantId of ["a b", "a:b", "a~b", "../a", "x".repeat(65)]) {
			const headers = { [standard.tenantHeader]: tenantId };
			const answer = await standard.visitor().post("/tenant/sign-up/email", { body: newPerson(), headers });
			refused(answer, 400, "INVALID_TENANT_ID");
		}
	}),
	// threat 60
	"D-28": check(
		"creates a tenant with 17 kB, with 40 levels and with 9,000 numbers of metadata",
		async ({ standard }) => {
			let deep: Record<string, unknown> = {};
			for (let level = 0; level < 40; level++) deep = { deep };
			for (const metadata of [{ text: "x".repeat(17_000) }, deep, { many: Array.from({ length: 9000 }, () => 1) }])
				refused(await askCreate(standard, { metadata }), 400, "INVALID_METADATA");
		},
	),
	"D-29": check("registers a provider that is not built in", async ({ standard }) => {
		const fields = { providerId: "our-own-idp", ...newCredentials() };
		refused(await askRegister(standard, await createTenant(standard), fields), 400, "UNSUPPORTED_PROVIDER");
	}),
	"D-30": check("names a tenant that does not exist at every endpoint that takes one", async ({ standard }) => {
		const missing = nobody();
		const fields = { providerId: "github", ...newCredentials() };
		const { operator } = standard;
		const answers = [
			await getTenant(standard, { id: missing.id }),
			await getTenant(standard, { slug: missing.slug }),
			await operator.post("/tenant/update", { body: { tenantId: missing.id, name: "Nobody" } }),
			await operator.post("/tenant/delete", { body: { tenantId: missing.id } }),
			await askSignUp(standard.visitor(), missing, newPerson()),
			await askSignIn(standard.visitor(), missing, newPerson()),
			await askSocial(standard.visitor(), missing),
			await askRegister(standard, missing, fields),
			await operator.get("/tenant/oauth-config/list", { query: { tenantId: missing.id } }),
			await deleteConfig(standard, missing, "github"),
		];
		for (const answer of answers) refused(answer, 404, "TENANT_NOT_FOUND");
	}),
	"D-31": check("deletes a config twice", async ({ standard }) => {
		const tenant = await createTenant(standard);
		await registerConfig(standard, tenant);
		assert.equal((await deleteConfig(standard, tenant, "github")).status, 200);
		refused(await deleteConfig(standard, tenant, "github"), 404, "OAUTH_CONFIG_NOT_FOUND");
	}),
	"D-32": check("starts at a provider that is not configured", async ({ standard }) => {
		const answer = await askSocial(standard.visitor(), await createTenant(standard), { provider: UNCONFIGURED });
		refused(answer, 404, "PROVIDER_NOT_FOUND");
	}),
	"D-33": check("creates and updates with another tenant's slug", async ({ standard }) => {
		const [tenant, neighbor] = await twoTenants(standard);
		refused(await askCreate(standard, { slug: tenant.slug }), 409, "TENANT_SLUG_TAKEN");
		const body = { tenantId: neighbor.id, slug: tenant.slug };
		refused(await standard.operator.post("/tenant/update", { body }), 409, "TENANT_SLUG_TAKEN");
	}),
} satisfies Checks;
