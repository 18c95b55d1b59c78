import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Webhook } from "standardwebhooks";
import { expect } from "vitest";
import { SMS_SECRET } from "../support/every-plugin.ts";

type Received = { tenantId: string; phoneNumber: string; code: string; purpose: string };

/** An SMS webhook on loopback. It rejects unsigned requests, and answers with the next of `answers` or 200. */
export const startSmsReceiver = async () => {
	const received: Received[] = [];
	const ids: string[] = [];
	const answers: number[] = [];
	const requests: { method: string | undefined; path: string | undefined }[] = [];
	const server = createServer(async (incoming, outgoing) => {
		requests.push({ method: incoming.method, path: incoming.url });
		let body = "";
		for await (const chunk of incoming) body += String(chunk);
		if (incoming.method !== "POST") return void outgoing.writeHead(405).end();
		try {
			const message = new Webhook(SMS_SECRET).verify(body, incoming.headers as Record<string, string>) as Received;
			ids.push(String(incoming.headers["webhook-id"]));
			const answer = answers.shift() ?? 200;
			if (answer === 200) received.push(message);
			outgoing.writeHead(answer, answer === 302 ? { location: "/elsewhere" } : {}).end();
		} catch {
			outgoing.writeHead(401).end();
		}
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/sms`,
		received,
		ids,
		answers,
		requests,
		/** The newest code for a number in a tenant. */
		codeFor: async (tenantId: string, phoneNumber: string, after = 0): Promise<string> => {
			const found = () =>
				received.slice(after).findLast((one) => one.tenantId === tenantId && one.phoneNumber === phoneNumber)?.code;
			await expect.poll(found, { timeout: 10_000 }).toBeDefined();
			return found() ?? "";
		},
		close: async () => {
			server.close();
			server.closeAllConnections();
		},
	};
};

/** A port on loopback at which nothing listens. */
export const closedPort = async (): Promise<number> => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const { port } = server.address() as AddressInfo;
	await new Promise<void>((resolve) => server.close(() => resolve()));
	return port;
};
