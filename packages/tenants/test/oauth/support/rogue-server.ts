import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import type { World } from "test-kit/world";
import { afterAll, afterEach, beforeAll } from "vitest";
import { callbackOf, start } from "./two-tenants.ts";

/** A server that a tenant's admin runs. It returns the tokens and the profile that a test sets. */
type RogueServer = {
	issuer: string;
	seen: { path: string; authorization: string | undefined; body: string }[];
	accessToken: string;
	profile: Record<string, unknown>;
};

/** Runs a rogue GitLab for the tests of one file. */
export const useRogueServer = () => {
	const rogue: RogueServer = { issuer: "", seen: [], accessToken: "rogue-token", profile: {} };
	let server: Server;
	beforeAll(async () => {
		server = createServer(async (request, response) => {
			let body = "";
			for await (const chunk of request) body += chunk;
			rogue.seen.push({ path: request.url ?? "", authorization: request.headers.authorization, body });
			response.setHeader("content-type", "application/json");
			const tokens = {
				access_token: rogue.accessToken,
				refresh_token: "rogue-refresh",
				token_type: "Bearer",
				expires_in: 1,
			};
			response.end(JSON.stringify(request.url === "/oauth/token" ? tokens : { state: "active", ...rogue.profile }));
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		rogue.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterEach(() => {
		rogue.accessToken = "rogue-token";
	});
	afterAll(() => server.close());

	const registerRogue = (world: World, tenantId: string) =>
		world.call("/tenant/oauth-config/register", {
			operator: true,
			body: {
				tenantId,
				providerId: "gitlab",
				clientId: "rogue",
				clientSecret: canarySecret("rogue"),
				options: { issuer: rogue.issuer },
			},
		});

	/** Signs in through the rogue server, which asserts the given profile. */
	const signInByRogue = async (
		world: World,
		tenantId: string,
		profile: Record<string, unknown>,
		browser = new Browser(),
	) => {
		rogue.profile = profile;
		const answer = await world.call(callbackOf(await start(world, tenantId, "gitlab", browser)), { browser });
		return { browser, answer, user: (await world.call("/get-session", { browser })).json?.user };
	};

	return { rogue, registerRogue, signInByRogue };
};
