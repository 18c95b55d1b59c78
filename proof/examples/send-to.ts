import { request } from "node:http";

/**
 * Sends a request to a host on this machine, with a form as POST. Not every system resolves names below localhost, so it
 * connects by address.
 */
export const sendTo = (
	origin: string,
	path: string,
	headers: Record<string, string> = {},
	form?: Record<string, string>,
): Promise<{ status: number; text: string }> => {
	const { host, port } = new URL(origin);
	const type = { "content-type": "application/x-www-form-urlencoded" };
	return new Promise((resolve, reject) => {
		const sent = request({
			host: "127.0.0.1",
			port,
			path,
			method: form ? "POST" : "GET",
			headers: { host, ...(form ? type : {}), ...headers },
		});
		sent.once("error", reject);
		sent.once("response", (response) => {
			let text = "";
			response.setEncoding("utf8").on("data", (chunk: string) => {
				text += chunk;
			});
			response.once("end", () => resolve({ status: response.statusCode ?? 0, text }));
		});
		sent.end(form ? new URLSearchParams(form).toString() : undefined);
	});
};
