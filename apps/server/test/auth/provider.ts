import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A fake GitLab on loopback where every user is the same one. Records the redirect URIs it received. */
export const startProvider = async () => {
	const redirectURIs: (string | null)[] = [];
	const server = createServer((request, response) => {
		let body = "";
		request.on("data", (chunk) => {
			body += chunk;
		});
		request.on("end", () => {
			response.setHeader("content-type", "application/json");
			if (request.url === "/oauth/token") {
				redirectURIs.push(new URLSearchParams(body).get("redirect_uri"));
				response.end(JSON.stringify({ access_token: "token", token_type: "bearer" }));
			} else {
				const person = { id: 7, name: "Ada", email: "ada@provider.example", email_verified: true, state: "active" };
				response.end(JSON.stringify(person));
			}
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		issuer: `http://127.0.0.1:${port}`,
		redirectURIs,
		close: () => new Promise<void>((resolve) => server.close(() => resolve())),
	};
};
