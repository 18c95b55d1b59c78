import { getMigrations } from "better-auth/db/migration";
import { db } from "./database.ts";
import { options } from "./options.ts";

const TENANTS = [
	{ name: "Acme", slug: "acme", metadata: { hue: 255 } },
	{ name: "Globex", slug: "globex", metadata: { hue: 40 } },
];

await (await getMigrations(options)).runMigrations();
// Better Auth checks its tables when it starts, so it starts after they exist
const { addressOf, auth } = await import("./auth.ts");

const existing = await auth.api.listTenants();
for (const body of TENANTS) {
	if (!existing.some(({ slug }) => slug === body.slug)) await auth.api.createTenant({ body });
	console.log(`${body.name}: ${addressOf(body.slug)}`);
}
await db.destroy();
