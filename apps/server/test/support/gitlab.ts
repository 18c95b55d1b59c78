import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A fake GitLab on loopback with one user, whose responses a test can make fail. */
export const startGitlab = async () => {
	const state: { mode: "ok" | "failing" | "hanging" } = { mode: "ok" };
	const held: ServerResponse[] = [];
	const server = createServer((incoming, outgoing) => {
		if (state.mode === "hanging") return void held.push(outgoing);
		if (state.mode === "failing") return void outgoing.writeHead(502).end();
		const body = incoming.url?.startsWith("/oauth/token")
			? {
					access_token: "canary-access-token",
					refresh_token: "canary-refresh-token",
					token_type: "bearer",
					expires_in: 3600,
				}
			: {
					id: 7,
					sub: "7",
					username: "ada",
					name: "Ada",
					email: "ada@example.com",
					state: "active",
					confirmed_at: "2020",
				};
		outgoing.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		state,
		/** the number of hanging requests */
		held: () => held.length,
		/** Fails the hanging requests. */
		letGo: () => {
			for (const outgoing of held.splice(0)) outgoing.writeHead(502).end();
		},
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
};
