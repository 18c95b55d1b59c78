import { stripe } from "@better-auth/stripe";
import { organization } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { createStripeServer, PRICE, WEBHOOK_SECRET } from "test-kit/stripe-server";
import { describe, expect, it } from "vitest";

const withOrganizations = async () => {
	const server = await createStripeServer();
	const plugin = stripe({
		stripeClient: server.client,
		stripeWebhookSecret: WEBHOOK_SECRET,
		subscription: { enabled: true, plans: [{ name: "pro", priceId: PRICE }], authorizeReference: async () => true },
		organization: { enabled: true },
	});
	const world = await composedWorld([organization(), plugin]);
	const { a, b, ok, signUp } = world;
	const owner = await signUp(b, "owner@example.com");
	const org = (await ok("/organization/create", { browser: owner, body: { name: "Globex", slug: "globex" } })).json;
	const checkout = (
		await ok("/subscription/upgrade", {
			browser: owner,
			body: { plan: "pro", customerType: "organization", referenceId: org.id, successUrl: "/paid", cancelUrl: "/" },
		})
	).json;
	const mallory = await signUp(a, "mallory@example.com");
	return { ...world, server, owner, org, customer: checkout.customer as string, mallory };
};

describe("another tenant's Stripe customer", () => {
	// threats 6, 39 and 65
	it("rejects a user's update that writes it into their own row", async () => {
		const { call, customer, mallory, database } = await withOrganizations();
		await call("/update-user", { browser: mallory, body: { stripeCustomerId: customer } });
		const rows = await database.query(`select "stripeCustomerId" from "user" where "email" = 'mallory@example.com'`);
		expect(rows[0]?.stripeCustomerId ?? null).not.toBe(customer);
	});

	it("opens no billing portal for another user", async () => {
		const { call, customer, mallory } = await withOrganizations();
		await call("/update-user", { browser: mallory, body: { stripeCustomerId: customer } });
		const portal = await call("/subscription/billing-portal", { browser: mallory, body: { returnUrl: "/" } });
		expect(portal.text).not.toContain(customer);
		expect(portal.status).not.toBe(200);
	});

	it("keeps its events: a subscription created in the dashboard is not the claimant's", async () => {
		const { a, call, server, customer, mallory, database } = await withOrganizations();
		await call("/update-user", { browser: mallory, body: { stripeCustomerId: customer } });
		const made = server.subscribe(customer, {});
		const { payload, signature } = server.event("customer.subscription.created", made, WEBHOOK_SECRET);
		await call("/stripe/webhook", { body: payload, headers: { "stripe-signature": signature } });
		const rows = await database.query(`select "tenantId", "status", "stripeSubscriptionId" from "subscription"`);
		expect(rows.filter(({ tenantId }) => tenantId === a)).toEqual([]);
	});

	it("responds alike to claims of another tenant's customer and of an unknown one", async () => {
		const { b, call, signUp, ok, mallory } = await withOrganizations();
		const neighbor = await signUp(b, "neighbor@example.com");
		const own = (
			await ok("/subscription/upgrade", {
				browser: neighbor,
				body: { plan: "pro", successUrl: "/paid", cancelUrl: "/" },
			})
		).json.customer;
		const taken = await call("/update-user", { browser: mallory, body: { stripeCustomerId: own } });
		const free = await call("/update-user", { browser: mallory, body: { stripeCustomerId: "cus_nobodys" } });
		expect(taken.status).toBe(free.status);
	});
});
