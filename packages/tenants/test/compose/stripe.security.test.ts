import { stripe } from "@better-auth/stripe";
import { composedWorld } from "test-kit/composed-world";
import { createStripeServer, PRICE, WEBHOOK_SECRET } from "test-kit/stripe-server";
import { describe, expect, it } from "vitest";

const withStripe = async (database: "sqlite" | "postgres") => {
	const server = await createStripeServer();
	const plugin = stripe({
		stripeClient: server.client,
		stripeWebhookSecret: WEBHOOK_SECRET,
		createCustomerOnSignUp: true,
		subscription: { enabled: true, plans: [{ name: "pro", priceId: PRICE }] },
	});
	const world = await composedWorld([plugin], { database });
	const customers = async () =>
		(await world.database.query('select "tenantId", "stripeCustomerId" from "user"')).map(
			({ tenantId, stripeCustomerId }) => [tenantId, stripeCustomerId],
		);
	return { ...world, server, customers };
};

describe.each(["sqlite", "postgres"] as const)("Stripe on %s", (database) => {
	// threat 65
	it("lets a webhook find its tenant after its signature is verified, and ignores hints", async () => {
		const { a, b, ok, call, server, database: db, signUp } = await withStripe(database);
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, "ada@example.com");
			const body = { plan: "pro", successUrl: "/paid", cancelUrl: "/" };
			const checkout = (await ok("/subscription/upgrade", { browser, body })).json;
			const { customer, metadata } = checkout;
			const object = {
				id: checkout.id,
				mode: "subscription",
				customer,
				metadata,
				client_reference_id: metadata.referenceId,
				subscription: server.subscribe(customer, metadata).id,
			};
			const send = (secret: string, hint?: string) => {
				const { payload, signature } = server.event("checkout.session.completed", object, secret);
				return call("/stripe/webhook", { tenant: hint, body: payload, headers: { "stripe-signature": signature } });
			};
			const status = async () =>
				(await db.query(`select "status" from "subscription" where "tenantId" = '${tenant}'`))[0]?.status;
			expect((await send("whsec_of_somebody_else")).status).toBe(400);
			await send(WEBHOOK_SECRET, tenant === a ? b : a);
			expect(await status()).toBe("incomplete");
			expect((await send(WEBHOOK_SECRET)).status).toBe(200);
			expect(await status()).toBe("active");
			expect((await ok("/subscription/list", { browser })).json).toHaveLength(1);
		}
	});

	// threats 6 and 65
	it("gives a customer found by email to one user, not to the same email in another tenant", async () => {
		const { a, b, call, server, customers, signUp, database: db } = await withStripe(database);
		// created by hand, without a user id
		const found = await server.client.customers.create({ email: "ada@example.com" });
		const browsers = [];
		for (const tenant of [a, b]) {
			const browser = await signUp(tenant, "ada@example.com");
			await db.query(
				`update "user" set "emailVerified" = true, "stripeCustomerId" = null where "tenantId" = '${tenant}'`,
			);
			browsers.push(browser);
		}
		const [ofA, ofB] = browsers;
		// so that the search finds the customer created by hand
		server.reset(server.state().filter(({ id }) => id === found.id));
		const body = { plan: "pro", successUrl: "/paid", cancelUrl: "/" };
		const first = await call("/subscription/upgrade", { browser: ofA, body });
		expect([first.status, first.json.customer]).toEqual([200, found.id]);
		const second = await call("/subscription/upgrade", { browser: ofB, body });
		expect([second.status, second.code]).toEqual([400, "UNABLE_TO_CREATE_CUSTOMER"]);
		expect((await customers()).sort()).toEqual(
			[
				[a, found.id],
				[b, null],
			].sort(),
		);
	});
});
