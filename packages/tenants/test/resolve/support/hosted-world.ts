import { Browser } from "test-kit/browser";
import { type CallOptions, createWorld, MANAGEMENT_KEY, PASSWORD, type WorldOptions } from "test-kit/world";
import { firstOf, fromCustomDomain, fromSubdomain } from "../../../src/resolvers.ts";

/** The platform's URL. Tenants have the same protocol and port. */
const HOSTED = {
	allowedHosts: ["localhost:3000"],
	fallback: "http://localhost:3000",
	protocol: "http",
} as const;

type Given = Omit<WorldOptions, "engine"> & { engine?: WorldOptions["engine"] };

/** Acme and Globex, at their subdomains of localhost and at their domains. */
export const createHostedWorld = async ({ tenantAuth, engine, ...more }: Given = {}) => {
	const world = await createWorld({
		tenantAuth: {
			management: { keys: [MANAGEMENT_KEY] },
			resolveTenantId: firstOf(fromCustomDomain(), fromSubdomain({ domain: "localhost" })),
			...tenantAuth,
		},
		engine: { baseURL: { ...HOSTED, allowedHosts: [...HOSTED.allowedHosts] }, ...engine },
		...more,
	});
	const acme = await world.newTenant("acme");
	const globex = await world.newTenant("globex");

	/** Sends a request to a host, from a page of that host. */
	const at = (host: string, path: string, options: CallOptions = {}) =>
		world.call(`http://${host}:3000/api/auth${path}`, {
			...options,
			headers: { origin: `http://${host}:3000`, ...options.headers },
		});
	return {
		...world,
		acme,
		globex,
		at,
		addDomain: (tenantId: string, domain: string, options: CallOptions = { operator: true }) =>
			world.call("/tenant/domain/add", { ...options, body: { tenantId, domain } }),
		signUpAt: async (host: string, email: string): Promise<Browser> => {
			const browser = new Browser();
			const answer = await at(host, "/sign-up/email", { browser, body: { name: "Ada", email, password: PASSWORD } });
			if (answer.status !== 200) throw new Error(`no sign-up at ${host}: ${answer.text}`);
			return browser;
		},
	};
};
