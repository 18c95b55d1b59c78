import { getPlatformProxy } from "wrangler";
import { createAuth } from "../src/auth.ts";
import type { Env } from "../src/options.ts";

const TENANTS = [
	{ name: "Acme", slug: "acme", metadata: { hue: 255 } },
	{ name: "Globex", slug: "globex", metadata: { hue: 40 } },
];

// the local D1 database of `wrangler dev`, and the values of .env
const { env, dispose } = await getPlatformProxy<Env>();
const { addressOf, api } = createAuth(env);
const existing = await api.listTenants();
for (const body of TENANTS) {
	if (!existing.some(({ slug }) => slug === body.slug)) await api.createTenant({ body });
	console.log(`${body.name}: ${addressOf(body.slug)}`);
}
await dispose();
