import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { onTestFinished } from "vitest";
import { KEEP_ALIVE } from "./servers/keep-alive.ts";

export const WEBHOOK_SECRET = "whsec_for_the_tests_0123456789";
export const PRICE = "price_pro";

type Thing = { id: string; object: string; [field: string]: unknown };

/**
 * The part of Stripe that the plugin calls, on loopback, behind Stripe's own SDK: customers, subscriptions, checkout
 * and billing portal. It stores what it receives and responds under the same paths.
 */
export const createStripeServer = async (onFinished: (close: () => Promise<void>) => void = onTestFinished) => {
	const things = new Map<string, Thing>();
	const make = (object: string, prefix: string, fields: Record<string, unknown>): Thing => {
		const thing = { id: `${prefix}_${randomBytes(12).toString("hex")}`, object, metadata: {}, ...fields };
		things.set(thing.id, thing);
		return thing;
	};
	const all = (object: string) => [...things.values()].filter((thing) => thing.object === object);
	const list = (data: Thing[]) => ({ object: "list", data, has_more: false });

	const subscribe = (customer: string, metadata: Record<string, string> = {}): Thing =>
		make("subscription", "sub", {
			customer,
			metadata,
			status: "active",
			cancel_at_period_end: false,
			items: list([
				{
					id: "si_1",
					object: "subscription_item",
					quantity: 1,
					price: { id: PRICE, recurring: { interval: "month", usage_type: "licensed" } },
					current_period_start: 1_700_000_000,
					current_period_end: 2_000_000_000,
				},
			]),
		});

	const answer = (method: string, [collection = "", id, more]: string[], sent: Record<string, unknown>): unknown => {
		if (collection === "customers" && id === "search") {
			const email = /email:"([^"]+)"/.exec(String(sent.query))?.[1];
			const organization = /metadata\["organizationId"\]:"([^"]+)"/.exec(String(sent.query))?.[1];
			const fits = ({ email: own, metadata }: Thing) =>
				organization ? (metadata as Record<string, string>).organizationId === organization : own === email;
			return { ...list(all("customer").filter(fits).slice(0, 1)), object: "search_result" };
		}
		if (collection === "prices")
			return { id, object: "price", recurring: { interval: "month", usage_type: "licensed" } };
		if (collection === "billing_portal")
			return { id: "bps_1", object: "billing_portal.session", url: `https://billing.example.com/${sent.customer}` };
		if (collection === "checkout" && method === "POST")
			return make("checkout.session", "cs", { ...sent, url: "https://checkout.example.com/", payment_status: "paid" });
		const named = things.get((collection === "checkout" ? more : id) ?? "");
		if (named) return method === "POST" ? Object.assign(named, sent) : named;
		if (id && id !== "sessions") return null;
		if (collection === "customers" && method === "POST") return make("customer", "cus", sent);
		const object = collection === "customers" ? "customer" : "subscription";
		if (collection === "customers" || collection === "subscriptions")
			return list(all(object).filter(({ customer }) => !sent.customer || customer === sent.customer));
		return list([]);
	};

	const server = createServer(KEEP_ALIVE, async (request, response) => {
		const url = new URL(request.url ?? "", "http://stripe");
		const sent = { ...unfold(url.searchParams), ...unfold(new URLSearchParams(await text(request))) };
		const found = answer(request.method ?? "GET", url.pathname.split("/").slice(2), sent);
		response.writeHead(found ? 200 : 404, { "content-type": "application/json", connection: "keep-alive" });
		response.end(JSON.stringify(found ?? { error: { code: "resource_missing", message: "No such thing" } }));
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onFinished(async () => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	const client = new Stripe("sk_test_loopback", {
		host: "127.0.0.1",
		port,
		protocol: "http",
		maxNetworkRetries: 0,
		telemetry: false,
	});

	return {
		client,
		subscribe,
		customers: () => all("customer"),
		/** Stripe's stored objects, to compare and restore. */
		state: (): Thing[] => structuredClone([...things.values()]),
		reset: (state: Thing[]): void => {
			things.clear();
			for (const thing of structuredClone(state)) things.set(thing.id, thing);
		},
		/** A webhook's body and signature header, as Stripe signs it. */
		event: (type: string, object: unknown, secret = WEBHOOK_SECRET) => {
			const payload = JSON.stringify({ id: "evt_1", object: "event", type, data: { object } });
			return { payload, signature: client.webhooks.generateTestHeaderString({ payload, secret }) };
		},
	};
};

const text = async (request: IncomingMessage): Promise<string> => {
	let sent = "";
	for await (const chunk of request) sent += chunk;
	return sent;
};

/** `metadata[userId]=1` is { metadata: { userId: "1" } }. */
const unfold = (form: URLSearchParams): Record<string, unknown> => {
	const fields: Record<string, unknown> = {};
	for (const [name, value] of form) {
		const [first = "", ...rest] = name.split(/[[\]]+/).filter(Boolean);
		const last = rest.pop();
		if (last === undefined) {
			fields[first] = value;
			continue;
		}
		let into = inside(fields, first);
		for (const part of rest) into = inside(into, part);
		into[last] = value;
	}
	return fields;
};

const inside = (fields: Record<string, unknown>, name: string): Record<string, unknown> => {
	fields[name] ??= {};
	return fields[name] as Record<string, unknown>;
};
