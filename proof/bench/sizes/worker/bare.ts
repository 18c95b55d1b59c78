import { betterAuth } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";

const auth = betterAuth({
	database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
	baseURL: "http://localhost",
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	emailAndPassword: { enabled: true },
});

// biome-ignore lint/style/noDefaultExport: where workerd looks for it
export default { fetch: auth.handler };
