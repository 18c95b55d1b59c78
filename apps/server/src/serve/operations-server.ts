import { createServer, type Server } from "node:http";
import { createProbes, type Readiness } from "../http/probes.ts";
import type { Metrics } from "../measure/metrics.ts";

type ServerWith = { metrics: Metrics; readiness: Readiness };

type Answer = { status: number; type: string; text: string };

/**
 * Serves /metrics and the probes on a separate, private port. Node accepts one connection per port and event-loop turn,
 * so on the public port a probe would wait behind a burst of connections.
 */
export const createOperationsServer = ({ metrics, readiness }: ServerWith): Server => {
	const answers = new Map<string, () => Promise<Answer>>([
		["/metrics", async () => ({ status: 200, type: metrics.contentType, text: await metrics.text() })],
	]);
	for (const [path, probe] of createProbes(readiness))
		answers.set(path, async () => {
			const { status, body } = await probe();
			return { status, type: "application/json", text: JSON.stringify(body) };
		});
	return createServer({ requestTimeout: 10_000, headersTimeout: 10_000 }, async (incoming, outgoing) => {
		const [path = ""] = (incoming.url ?? "").split("?", 1);
		const answer = incoming.method === "GET" || incoming.method === "HEAD" ? answers.get(path) : undefined;
		if (!answer) {
			outgoing.writeHead(404).end();
			return;
		}
		try {
			const { status, type, text } = await answer();
			outgoing.writeHead(status, { "content-type": type, "cache-control": "no-store" }).end(text);
		} catch {
			outgoing.writeHead(500).end();
		}
	});
};
