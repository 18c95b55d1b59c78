import { runWithEndpointContext, runWithRequestState } from "@better-auth/core/context";
import { beforeAll, describe, expect, it } from "vitest";
import { requestStateReady } from "../../src/engine/request-state.ts";
import { dispatchOf, noteDispatch } from "../../src/scope/pin/dispatch.ts";
import {
	beginRecord,
	definePart,
	endApart,
	isApart,
	isInRequest,
	runApart,
} from "../../src/scope/pin/request-record.ts";

const seen = definePart<{ value: string }>(() => ({ value: "" }));
const inRequest = (run: () => Promise<unknown>): Promise<unknown> => runWithRequestState(new WeakMap(), run);
const inEndpoint = (context: object, run: () => Promise<unknown>): Promise<unknown> =>
	runWithEndpointContext({ context } as never, run);

/** Notes a value in the running request. */
const see = (value: string): void => {
	const part = seen.now();
	if (part) part.value = value;
};

beforeAll(() => requestStateReady);

describe("what is remembered of a request", () => {
	it("begins with the first part, and is nobody else's", async () => {
		expect([isInRequest(), seen.now(), seen.peek()]).toEqual([false, undefined, undefined]);
		await Promise.all(
			["one", "another"].map((value) =>
				inRequest(async () => {
					expect([isInRequest(), seen.peek()]).toEqual([true, undefined]);
					see(value);
					await new Promise((resolve) => setTimeout(resolve, 5));
					expect(seen.peek()).toEqual({ value });
				}),
			),
		);
	});

	it("is on the context of an HTTP request before there is a state, in each copy, and after it", async () => {
		const context = {};
		expect(seen.of(context)).toBeUndefined();
		beginRecord(context);
		Object.assign(seen.of(context) ?? {}, { value: "before" });
		await inRequest(() =>
			inEndpoint({ ...context }, async () => {
				expect(seen.now()).toEqual({ value: "before" });
				see("within");
			}),
		);
		expect(seen.of(context)).toEqual({ value: "within" });
	});

	it("stays that of the outer request in what runs inside, also if that has a context of its own", async () => {
		const [outer, inner] = [{}, {}];
		beginRecord(outer);
		beginRecord(inner);
		await inRequest(() =>
			inEndpoint({ ...outer }, async () => {
				see("outer");
				await inEndpoint({ ...inner }, async () => expect(seen.now()).toEqual({ value: "outer" }));
			}),
		);
		expect(seen.of(inner)).toEqual({ value: "" });
	});

	it("is not found by code of the application that runs apart", async () => {
		const context = {};
		beginRecord(context);
		await inRequest(() =>
			inEndpoint({ ...context }, async () => {
				see("outer");
				await runApart("resolver", async () => {
					expect([isInRequest(), isApart("resolver"), isApart("audit")]).toEqual([true, true, false]);
					expect(seen.peek()).toBeUndefined();
					see("inner");
					await runApart("audit", () => expect([isApart("resolver"), isApart("audit")]).toEqual([true, true]));
				});
				expect([seen.peek(), isApart("resolver")]).toEqual([{ value: "outer" }, false]);
			}),
		);
	});

	it("lets what runs apart end early, for what it has left running", async () => {
		let later: boolean | undefined;
		const left = await runApart("audit", async () => {
			const left = new Promise<void>((resolve) => {
				setTimeout(() => {
					later = isApart("audit");
					resolve();
				}, 5);
			});
			endApart("audit");
			return { left };
		});
		await left.left;
		expect(later).toBe(false);
	});
});

describe("what is noted of a dispatch", () => {
	it("is known in those inside, and not the other way round", () => {
		const outer = {};
		noteDispatch(outer, { tenantId: "acme", reSigned: ["session"] });
		const inner = { ...outer };
		noteDispatch(inner, { isDelegated: true });
		expect(dispatchOf(inner)).toEqual({ tenantId: "acme", reSigned: ["session"], isDelegated: true });
		expect(dispatchOf(outer)).toEqual({ tenantId: "acme", reSigned: ["session"] });
		noteDispatch(outer, { isImpersonated: true });
		expect(dispatchOf(inner).isImpersonated).toBeUndefined();
		expect(dispatchOf({})).toEqual({});
	});
});
