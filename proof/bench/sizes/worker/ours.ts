import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { tenantAuth } from "better-auth-tenants";
import { MANAGEMENT_KEY } from "./management-key.ts";

const auth = betterAuth({
	database: memoryAdapter({ user: [], session: [], account: [], verification: [], tenant: [], tenantOauthConfig: [] }),
	baseURL: "http://localhost",
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	emailAndPassword: { enabled: true },
	plugins: [
		// the memory adapter has neither transactions nor indexes
		tenantAuth({
			database: { requireTransactions: false, trustIndexes: true },
			management: { keys: [MANAGEMENT_KEY] },
		}),
	],
});

// biome-ignore lint/style/noDefaultExport: where workerd looks for it
export default { fetch: auth.handler };
