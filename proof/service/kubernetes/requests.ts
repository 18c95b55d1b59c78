import { request } from "node:http";
import * as z from "zod";

const PEOPLE = 4;
const PERSON = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };

type Sent = { body?: object; key?: string };
type Answer = { status: number | string; text: string };
type Expect = (what: string, holds: boolean, seen?: unknown) => void;

export type Caller = ReturnType<typeof createCaller>;

/** Calls the service as an ingress controller does, each request on a connection of its own. */
export const createCaller = (address: string) => {
	const send = (path: string, { body, key }: Sent = {}): Promise<Answer> =>
		new Promise((resolve) => {
			const headers: Record<string, string> = {
				host: "auth.example.com",
				origin: "https://auth.example.com",
				"x-forwarded-host": "auth.example.com",
				"x-forwarded-proto": "https",
				"x-forwarded-for": "203.0.113.7",
				...(body ? { "content-type": "application/json" } : {}),
				...(key ? { authorization: `Bearer ${key}` } : {}),
			};
			const sent = request({ host: address, path, method: body ? "POST" : "GET", headers, agent: false }, (answer) => {
				let text = "";
				answer.setEncoding("utf8").on("data", (chunk: string) => {
					text += chunk;
				});
				answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text }));
				answer.on("error", () => resolve({ status: "cut off", text }));
			});
			sent.setTimeout(15_000, () => sent.destroy());
			sent.on("error", ({ message }) => resolve({ status: message, text: "" }));
			sent.end(body ? JSON.stringify(body) : undefined);
		});
	return {
		send,
		list: async (key: string) => (await send("/api/auth/tenant/list", { key })).status,
		/** Creates a tenant and a user in it, and opens what is public. Returns the tenant's id. */
		use: async (key: string, expect: Expect): Promise<string> => {
			const created = await send("/api/auth/tenant/create", { key, body: { name: "Acme", slug: "acme" } });
			const { id } = z.object({ id: z.string() }).parse(JSON.parse(created.text));
			const signedUp = await send("/api/auth/tenant/sign-up/email", { body: { ...PERSON, tenantId: id } });
			expect("a sign-up", signedUp.status === 200, signedUp.text);
			for (const [path, status] of [
				["/t/acme/sign-in", 200],
				["/console", 200],
				// of the metrics port only
				["/readyz", 404],
				["/livez", 404],
				["/metrics", 404],
			] as const) {
				const answer = await send(path);
				expect(`${path} is ${status}`, answer.status === status, answer.status);
			}
			return id;
		},
	};
};

/** Users who sign in and read what is public, until it is stopped. */
export const startRequests = ({ send }: Caller, tenantId: string) => {
	const answers: Record<string, number> = {};
	let failed = 0;
	let isOver = false;
	const { name: _name, ...credentials } = PERSON;
	const people = Array.from({ length: PEOPLE }, async () => {
		while (!isOver)
			for (const [path, sent] of [
				["/api/auth/tenant/sign-in/email", { body: { ...credentials, tenantId } }],
				["/api/auth/get-session", {}],
				["/t/acme/sign-in", {}],
			] as const) {
				const { status } = await send(path, sent);
				answers[`${path} ${status}`] = (answers[`${path} ${status}`] ?? 0) + 1;
				if (status !== 200) failed += 1;
			}
	});
	return {
		stop: async () => {
			isOver = true;
			await Promise.all(people);
			return { answers, failed };
		},
	};
};
