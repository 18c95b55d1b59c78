import { createServer, type Server } from "node:http";
import type { Metrics } from "../observe/metrics.ts";

/** /metrics on a port of its own, which the public one need not lead to. */
export const createMetricsServer = (metrics: Metrics): Server =>
	createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, async (incoming, outgoing) => {
		const [path] = (incoming.url ?? "").split("?", 1);
		if (incoming.method !== "GET" || path !== "/metrics") {
			outgoing.writeHead(404).end();
			return;
		}
		try {
			const text = await metrics.text();
			outgoing.writeHead(200, { "content-type": metrics.contentType }).end(text);
		} catch {
			outgoing.writeHead(500).end();
		}
	});
