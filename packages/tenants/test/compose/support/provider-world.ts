import { onTestFinished, vi } from "vitest";
import { withClients } from "./oauth-clients.ts";

/** Two tenants and the platform, each with a user and an OAuth client. */
export const providerWorld = async (options: Parameters<typeof withClients>[0] = {}) => {
	const world = await withClients(options);
	const partyOf = async (side: typeof world.a) => ({
		...side,
		/** hint for the tenant; the platform has none */
		tenant: side === world.platform ? undefined : side.tenant,
		userId: String((await world.whoami(side.browser)).user.id),
	});
	const sides = { a: await partyOf(world.a), b: await partyOf(world.b), platform: await partyOf(world.platform) };
	return { ...world, a: world.a.tenant, b: world.b.tenant, sides };
};

/** Serves requests to the OAuth provider's own address from the engine. */
export const serveItself = (handler: (request: Request) => Promise<Response>): void => {
	vi.stubGlobal("fetch", (url: string | URL | Request, init?: RequestInit) =>
		handler(url instanceof Request ? url : new Request(url, init)),
	);
	onTestFinished(() => void vi.unstubAllGlobals());
};
