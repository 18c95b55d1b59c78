/** The files of the application before it has tenants, by Better Auth's and Drizzle's own documentation. */
export const PLAIN: Record<string, string> = {
	"db.ts": `import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import * as schema from "./auth-schema.ts";

export const pool = new Pool({ connectionString: process.env.DATABASE_URL });
export const db = drizzle(pool, { schema });
`,
	// \`auth generate\` replaces it
	"auth-schema.ts": "export {};\n",
	"drizzle.config.ts": `import { defineConfig } from "drizzle-kit";

export default defineConfig({
	dialect: "postgresql",
	schema: "./auth-schema.ts",
	out: "./drizzle",
	dbCredentials: { url: process.env.DATABASE_URL ?? "" },
});
`,
	"auth.ts": `import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { admin, organization, twoFactor, username } from "better-auth/plugins";
import * as schema from "./auth-schema.ts";
import { db } from "./db.ts";

export const auth = betterAuth({
	baseURL: \`http://localhost:\${process.env.PORT}\`,
	database: drizzleAdapter(db, { provider: "pg", schema, transaction: true }),
	emailAndPassword: { enabled: true },
	plugins: [organization(), twoFactor(), username(), admin(), apiKey()],
});
`,
	"server.ts": `import { createServer } from "node:http";
import { toNodeHandler } from "better-auth/node";
import { auth } from "./auth.ts";

createServer(toNodeHandler(auth)).listen(process.env.PORT, () => console.log("listening"));
`,
	"users.ts": `import { auth } from "./auth.ts";
import * as schema from "./auth-schema.ts";
import { db, pool } from "./db.ts";

const { password } = await auth.$context;
// one hash for all: computing 1,000 would only take time
const hash = await password.hash("correct horse battery");
const domains = ["acme.com", "acme.com", "globex.com", "initech.com"];
const users = Array.from({ length: 1000 }, (_, index) => ({
	id: \`user-\${index}\`,
	name: \`User \${index}\`,
	email: \`user-\${index}@\${domains[index % domains.length]}\`,
	emailVerified: true,
	username: \`user_\${index}\`,
	displayUsername: \`User_\${index}\`,
}));
await db.insert(schema.user).values(users);
await db.insert(schema.account).values(
	users.map(({ id }) => ({
		id: \`account-\${id}\`,
		userId: id,
		accountId: id,
		providerId: "credential",
		password: hash,
		updatedAt: new Date(),
	})),
);
console.log(await db.$count(schema.user));
await pool.end();
`,
};

/** The files that change or are new when the application gets tenants, by the documentation of this package. */
export const WITH_TENANTS: Record<string, string> = {
	"auth.ts": `import { apiKey } from "@better-auth/api-key";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { admin, organization, twoFactor, username } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { fromSubdomain } from "better-auth-tenants/resolvers";
import * as schema from "./auth-schema.ts";
import { db } from "./db.ts";

const platform = \`localhost:\${process.env.PORT}\`;

export const auth = betterAuth({
	baseURL: { allowedHosts: [platform], fallback: \`http://\${platform}\`, protocol: "http" },
	database: drizzleAdapter(db, { provider: "pg", schema, transaction: true }),
	emailAndPassword: { enabled: true },
	plugins: withTenants(
		{
			database: { client: db },
			resolveTenantId: fromSubdomain({ domain: "localhost" }),
			management: { keys: [process.env.MANAGEMENT_KEY ?? ""] },
			deletion: { drainTime: process.env.NODE_ENV === "test" ? 0 : 20 },
		},
		[organization(), twoFactor(), username(), admin(), apiKey()],
	),
});
`,
	"move.ts": `import { type MoveOptions, moveUsersToTenant, PLATFORM } from "better-auth-tenants";
import { auth } from "./auth.ts";
import { pool } from "./db.ts";

for (const slug of ["acme", "globex", "initech"]) {
	const { id: to } = await auth.api.getTenant({ query: { slug } });
	const call: MoveOptions = {
		from: PLATFORM,
		to,
		where: [{ field: "email", operator: "ends_with", value: \`@\${slug}.com\` }],
	};
	const { collisions } = await moveUsersToTenant(auth, { ...call, dryRun: true });
	for (const { userId, code, message, table } of collisions) console.log(userId, code, message, table);
	if (collisions.length > 0) throw new Error("The users collide.");
	const { moved } = await moveUsersToTenant(auth, call);
	console.log(slug, moved);
}
await pool.end();
`,
	"isolation.test.ts": `import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTenantIsolation } from "better-auth-tenants/testing";
import { auth } from "./auth.ts";
import { pool } from "./db.ts";

test("keeps tenants apart", { timeout: 1_800_000 }, async () => {
	const { reached } = await assertTenantIsolation(auth);
	for (const path of ["POST /sign-in/username", "POST /api-key/create", "POST /organization/create"])
		assert.ok(reached.includes(path), \`\${path} was not reached\`);
	console.log(\`reached \${reached.length}\`);
	await pool.end();
});
`,
	"tsconfig.json": `${JSON.stringify(
		{
			compilerOptions: {
				target: "ES2023",
				module: "NodeNext",
				strict: true,
				noEmit: true,
				skipLibCheck: true,
				allowImportingTsExtensions: true,
				types: ["node"],
			},
			include: ["*.ts"],
		},
		null,
		"\t",
	)}\n`,
};
