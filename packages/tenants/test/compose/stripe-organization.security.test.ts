import { stripe } from "@better-auth/stripe";
import { organization } from "better-auth/plugins";
import { composedWorld } from "test-kit/composed-world";
import { createStripeServer, PRICE, WEBHOOK_SECRET } from "test-kit/stripe-server";
import { expect, it } from "vitest";

it("rejects an owner's update that writes a customer into the organization", async () => {
	const server = await createStripeServer();
	const plugin = stripe({
		stripeClient: server.client,
		stripeWebhookSecret: WEBHOOK_SECRET,
		subscription: { enabled: true, plans: [{ name: "pro", priceId: PRICE }] },
		organization: { enabled: true },
	});
	const { a, signUp, call, database } = await composedWorld([organization(), plugin]);
	const browser = await signUp(a, "ada@example.com");
	const made = await call("/organization/create", {
		browser,
		body: { name: "O", slug: "o", stripeCustomerId: "cus_x" },
	});
	await call("/organization/update", {
		browser,
		body: { organizationId: made.json?.id, data: { name: "P", stripeCustomerId: "cus_x" } },
	});
	expect(
		(await database.query(`select "stripeCustomerId" from "organization"`))[0]?.stripeCustomerId ?? null,
	).toBeNull();
});
