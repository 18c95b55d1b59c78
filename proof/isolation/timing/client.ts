import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { Pool } from "undici";
import { OUTBOX_HEADER } from "../app/settings.ts";

export type Asked = {
	path: string;
	/** a GET if undefined */
	body?: Record<string, unknown>;
	/** in the header */
	tenant?: string;
	operator?: boolean;
};

export type Answer = { status: number; text: string; headers: string[]; milliseconds: number };
export type Client = ReturnType<typeof createClient>;

/** Persistent connections, to measure the server and not the handshake. */
export const createClient = (origin: string) => {
	const { port } = new URL(origin);
	const connections = new Pool(`http://127.0.0.1:${port}`, { connections: 32 });
	return {
		ask: async ({ path, body, tenant, operator }: Asked): Promise<Answer> => {
			const sent = body ? JSON.stringify(body) : null;
			const headers = {
				host: `localhost:${port}`,
				origin,
				...(sent ? { "content-type": "application/json" } : {}),
				...(tenant ? { "x-tenant-id": tenant } : {}),
				...(operator ? { authorization: `Bearer ${MANAGEMENT_KEY}` } : {}),
			};
			const before = performance.now();
			const response = await connections.request({
				path: `/api/auth${path}`,
				method: sent ? "POST" : "GET",
				headers,
				body: sent,
			});
			const text = await response.body.text();
			const milliseconds = performance.now() - before;
			// the outbox belongs to the harness: a caller does not see the mail
			const names = Object.keys(response.headers).filter((name) => name !== OUTBOX_HEADER);
			return { status: response.statusCode, text, headers: names.toSorted(), milliseconds };
		},
		close: () => connections.destroy(),
	};
};
