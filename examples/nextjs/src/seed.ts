import { auth } from "./auth.ts";
import { pool } from "./db/index.ts";
import { addressOf } from "./hosts.ts";

const TENANTS = [
	{ name: "Acme", slug: "acme", metadata: { hue: 255 } },
	{ name: "Globex", slug: "globex", metadata: { hue: 40 } },
];

const existing = await auth.api.listTenants();
for (const body of TENANTS) {
	if (!existing.some(({ slug }) => slug === body.slug)) await auth.api.createTenant({ body });
	console.log(`${body.name}: ${addressOf(body.slug)}`);
}
await pool.end();
