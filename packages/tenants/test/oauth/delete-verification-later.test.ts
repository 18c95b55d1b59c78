import { AsyncResource } from "node:async_hooks";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";

/** A worker that existed before the request, like an in-process queue. */
const worker = new AsyncResource("queue");

const later = {
	id: "later",
	endpoints: {
		later: createAuthEndpoint("/later", { method: "POST" }, async (ctx) => {
			const { internalAdapter } = ctx.context;
			await internalAdapter.createVerificationValue({
				identifier: "otp-of-ada",
				value: "123456",
				expiresAt: new Date(Date.now() + 60_000),
			});
			await worker.runInAsyncScope(() => internalAdapter.deleteVerificationByIdentifier("otp-of-ada"));
			return ctx.json({ left: (await internalAdapter.findVerificationValue("otp-of-ada")) !== null });
		}),
	},
} satisfies BetterAuthPlugin;

it("a platform worker deletes a verification that is no OAuth state, as without tenants", async () => {
	const world = await createWorld({ plugins: [later] });
	const answer = await world.call("/later", { body: {} });
	expect([answer.status, answer.json]).toEqual([200, { left: false }]);
});
