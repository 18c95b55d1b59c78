import { request } from "node:http";

export type Answer = { status: number; body: Record<string, unknown> | null; cookie: string };
type Sent = { body?: object; headers?: Record<string, string> };

/**
 * Sends requests to hosts below localhost as a browser does. Not every system resolves these names, so it connects by address.
 * Sends a request again when it may, if the rate limit refused it.
 */
export const createBrowser = (port: number) => {
	const send = connectTo(port);
	return async (host: string, path: string, sent: Sent = {}): Promise<Answer> => {
		for (;;) {
			const { seconds, ...answer } = await send(host, path, sent);
			if (answer.status !== 429) return answer;
			await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
		}
	};
};

const connectTo =
	(port: number) =>
	(host: string, path: string, { body, headers = {} }: Sent): Promise<Answer & { seconds: number }> =>
		new Promise((resolve, reject) => {
			const site = `${host}:${port}`;
			const sent = request({
				host: "127.0.0.1",
				port,
				path: `/api/auth${path}`,
				method: body ? "POST" : "GET",
				headers: { host: site, origin: `http://${site}`, "content-type": "application/json", ...headers },
			});
			sent.once("error", reject);
			sent.once("response", (response) => {
				let text = "";
				response.setEncoding("utf8").on("data", (chunk: string) => {
					text += chunk;
				});
				response.once("end", () => {
					const cookies = response.headers["set-cookie"] ?? [];
					resolve({
						status: response.statusCode ?? 0,
						body: text.startsWith("{") ? JSON.parse(text) : null,
						cookie: cookies.map((one) => one.split(";")[0]).join("; "),
						seconds: Number(response.headers["x-retry-after"] ?? 1),
					});
				});
			});
			sent.end(body ? JSON.stringify(body) : undefined);
		});
