import { createAuthEndpoint, createAuthMiddleware } from "@better-auth/core/api";
import { APIError } from "@better-auth/core/error";
import { dispatchAuthEndpoint } from "better-auth/api";
import fc from "fast-check";
import { createWorld } from "test-kit/world";
import { expect, it } from "vitest";
import { createHook } from "../../src/engine/hook.ts";
import { inSteps, type Step } from "../../src/engine/in-steps.ts";

/** What a step does: it may set headers and cookies, and then return something, throw or return nothing. */
type Kind = {
	sets: number;
	ends: "nothing" | "value" | "null" | "error" | "redirect" | "error with headers" | "response";
	reads: boolean;
};

const kind = fc.record<Kind>({
	sets: fc.integer({ min: 0, max: 3 }),
	ends: fc.constantFrom("nothing", "value", "null", "error", "redirect", "error with headers", "response"),
	reads: fc.boolean(),
});

const describe = (returned: unknown): unknown =>
	returned instanceof Error
		? `${returned.name}: ${returned.message}`
		: returned instanceof Response
			? returned.status
			: returned;

/** Each step notes what it sees. One that only reads is a hook of this package. */
const toSteps = (kinds: Kind[], seen: unknown[]): Step[] =>
	kinds.map(({ sets, ends, reads }, index) => {
		const note = (context: { returned?: unknown; responseHeaders?: Headers | undefined }) =>
			seen.push([index, describe(context.returned), [...(context.responseHeaders ?? [])]]);
		const run = async (ctx: Parameters<Parameters<typeof createHook>[0]>[0]) => {
			note(ctx.context);
			if (sets > 0) ctx.setHeader("x-step", `${index}`);
			if (sets > 1) ctx.setCookie(`step-${index}`, "1");
			if (sets > 2) ctx.setCookie("shared", `${index}`);
			if (ends === "value") return { step: index };
			if (ends === "null") return null;
			if (ends === "error") throw new APIError("CONFLICT", { message: `step ${index}`, code: "STEP" });
			if (ends === "error with headers")
				throw new APIError(
					"CONFLICT",
					{ message: "x", code: "STEP" },
					{ "x-step": `thrown ${index}`, "set-cookie": `thrown=${index}` },
				);
			if (ends === "redirect") throw ctx.redirect(`/step/${index}`);
			if (ends === "response") return Response.json({ step: index }, { status: 418 });
			return undefined;
		};
		const handler = reads
			? createHook(async ({ context }) => {
					note(context);
					return ends === "value" ? { step: index } : undefined;
				})
			: createAuthMiddleware(run as never);
		return { matcher: ({ context }) => index % 3 !== 2 || context.returned !== undefined, handler };
	});

it("does what Better Auth does with a hook for each step", async () => {
	const { auth } = await createWorld();
	const context = await auth.$context;
	const endpoint = createAuthEndpoint("/steps", { method: "POST" }, async (ctx) => {
		ctx.setCookie("endpoint", "1");
		return ctx.json({ endpoint: true });
	});
	const play = async (steps: (all: Step[]) => object[], kinds: Kind[]) => {
		const seen: unknown[] = [];
		const plugins = [{ id: "steps", hooks: { after: steps(toSteps(kinds, seen)) } }];
		const request = new Request("http://localhost:3000/api/auth/steps", { method: "POST" });
		const response: unknown = await dispatchAuthEndpoint(
			endpoint as never,
			{
				request,
				headers: request.headers,
				asResponse: true,
				context: { ...context, options: { ...context.options, plugins } },
			} as never,
		).catch((error: unknown) => describe(error));
		if (!(response instanceof Response)) return [seen, response];
		return [seen, response.status, [...response.headers], await response.text()];
	};
	await fc.assert(
		fc.asyncProperty(fc.array(kind, { maxLength: 5 }), async (kinds) => {
			expect(await play((all) => [inSteps(() => all)], kinds)).toEqual(await play((all) => all, kinds));
		}),
		{ numRuns: 500 },
	);
});

it("passes on an error that is none of the API's", async () => {
	const fails = createAuthMiddleware(async () => {
		throw new TypeError("broken");
	});
	const { handler } = inSteps(() => [{ matcher: () => true, handler: fails }]);
	await expect(handler({ context: {} } as never)).rejects.toThrow("broken");
});
