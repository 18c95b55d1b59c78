import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

type Attribute = { key: string; value: { stringValue?: string; intValue?: number | string } };

type CollectedSpan = {
	name: string;
	scope: string;
	traceId: string;
	spanId: string;
	parentSpanId?: string;
	status: { code?: number; message?: string };
	events: unknown[];
	attributes: Record<string, string | number | undefined>;
};

type Batch = {
	resourceSpans: {
		resource: { attributes: Attribute[] };
		scopeSpans: {
			scope: { name: string };
			spans: (Omit<CollectedSpan, "attributes"> & { attributes: Attribute[] })[];
		}[];
	}[];
};

/** A trace collector on loopback that accepts OTLP as JSON. */
export const startCollector = async () => {
	const spans: CollectedSpan[] = [];
	const bodies: string[] = [];
	const server = createServer(async (incoming, outgoing) => {
		let body = "";
		for await (const chunk of incoming) body += String(chunk);
		if (incoming.url === "/v1/traces") {
			bodies.push(body);
			for (const { scopeSpans } of (JSON.parse(body) as Batch).resourceSpans)
				for (const { scope, spans: some } of scopeSpans)
					for (const span of some)
						spans.push({ ...span, scope: scope.name, events: span.events ?? [], attributes: read(span.attributes) });
		}
		outgoing.writeHead(200, { "content-type": "application/json" }).end("{}");
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		spans,
		/** everything received, unparsed */
		text: () => bodies.join("\n"),
		close: () => {
			server.close();
			server.closeAllConnections();
		},
	};
};

const read = (attributes: Attribute[]) =>
	Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));
