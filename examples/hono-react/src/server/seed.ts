import { getMigrations } from "better-auth/db/migration";
import { options } from "./options.ts";

const TENANTS = [
	{ name: "Acme", slug: "acme", domain: "login.acme.test", metadata: { hue: 255 } },
	{ name: "Globex", slug: "globex", domain: "login.globex.test", metadata: { hue: 40 } },
];

await (await getMigrations(options)).runMigrations();
// Better Auth checks its tables when it starts, so it starts after they exist
const { addressOf, auth } = await import("./auth.ts");

const existing = await auth.api.listTenants();
for (const { domain, ...body } of TENANTS) {
	if (!existing.some(({ slug }) => slug === body.slug)) {
		const { id: tenantId } = await auth.api.createTenant({ body });
		// your application adds a domain after it checked that the tenant owns it
		await auth.api.addTenantDomain({ body: { tenantId, domain } });
	}
	console.log(`${body.name}: ${addressOf(body.slug)}, and on the domain ${domain}`);
}
