import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { cheapHash } from "test-kit/cheap-hash";

const ORIGIN = "http://localhost:3000";
const PERSON = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

type Handler = (request: Request) => Promise<Response>;

/** The engine for a cold start on Node, with a SQLite file as in the README. */
export const optionsOf = (database: BetterAuthOptions["database"], plugins: BetterAuthPlugin[]): BetterAuthOptions => ({
	database,
	baseURL: ORIGIN,
	secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
	rateLimit: { enabled: false },
	emailAndPassword: { enabled: true, password: cheapHash },
	plugins,
});

export const askOk = (handler: Handler): Promise<void> => ask(handler, "/ok", undefined, null);

/** In a tenant, or without tenants. */
export const enter = (handler: Handler, how: "sign-up" | "sign-in", tenantId: string | undefined): Promise<void> =>
	ask(handler, `/${how}/email`, tenantId, PERSON);

const ask = async (
	handler: Handler,
	path: string,
	tenantId: string | undefined,
	body: object | null,
): Promise<void> => {
	const response = await handler(
		new Request(`${ORIGIN}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: {
				origin: ORIGIN,
				...(body ? { "content-type": "application/json" } : {}),
				...(tenantId ? { "x-tenant-id": tenantId } : {}),
			},
			body: body && JSON.stringify(body),
		}),
	);
	const text = await response.text();
	if (response.status !== 200) throw new Error(`${path} returned ${response.status} ${text}`);
};
