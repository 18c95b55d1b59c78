import { trace } from "@opentelemetry/api";
import { afterEach, describe, expect, it } from "vitest";
import { startTracing } from "../../src/observe/tracing.ts";
import { startCollector } from "../support/collector.ts";
import { createWorld, type World } from "../support/world.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe("traces", () => {
	let world: World | undefined;
	let collector: Awaited<ReturnType<typeof startCollector>>;
	afterEach(async () => {
		await world?.close();
		world = undefined;
		collector?.close();
	});

	const start = async (environment: Record<string, string> = {}) => {
		collector = await startCollector();
		world = await createWorld({
			environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: "auth-test", ...environment },
		});
		return world.start();
	};

	it("have a span per request with its endpoint, status and tenant, and the engine's spans below it", async () => {
		const service = await start();
		const acme = await service.createTenant("acme");
		await service.signUp(acme, "ada@example.com", "canary-password");
		await service.signIn(acme, "ada@example.com", "canary-wrong-one");
		await service.call("/api/auth/reset-password/canary-token?callbackURL=/canary");
		await service.call("/canary?token=canary");
		await service.close();

		const requests = collector.spans.filter(({ scope }) => scope === "server");
		expect(requests.map(({ name }) => name)).toEqual([
			"POST /tenant/create",
			"POST /tenant/sign-up/email",
			"POST /tenant/sign-in/email",
			"GET /reset-password/:token",
			"GET other",
		]);
		const [, signUp, signIn] = requests;
		expect(signUp?.attributes).toMatchObject({
			"http.route": "/tenant/sign-up/email",
			"http.request.method": "POST",
			"http.response.status_code": 200,
			"tenant.id": acme,
		});
		expect(signIn?.attributes).toMatchObject({ "http.response.status_code": 401, "tenant.id": acme });
		expect(signUp?.parentSpanId).toBeFalsy();

		const below = collector.spans.filter(
			({ traceId, scope }) => traceId === signUp?.traceId && scope === "better-auth",
		);
		expect(below.map(({ name }) => name)).toContain("db create user");
		expect(below.find(({ parentSpanId }) => parentSpanId === signUp?.spanId)?.name).toBe("POST /tenant/sign-up/email");
		expect(below.filter(({ name }) => /hook|onRequest/.test(name))).toEqual([]);
		// every span has a parent in its trace
		const ids = new Set(collector.spans.map(({ spanId }) => spanId));
		expect(collector.spans.filter(({ parentSpanId }) => parentSpanId && !ids.has(parentSpanId))).toEqual([]);

		expect(collector.spans.flatMap(({ events }) => events)).toEqual([]);
		expect(collector.spans.filter(({ status }) => status.message)).toEqual([]);
		expect(collector.text()).toContain("auth-test");
		expect(collector.text()).not.toMatch(/canary|ada@example/);
	});

	it("continue a trusted proxy's trace", async () => {
		const service = await start({ TRUSTED_PROXIES: "127.0.0.1" });
		await service.call("/livez", { headers: { traceparent: TRACEPARENT } });
		await service.call("/livez", { headers: { traceparent: TRACEPARENT.replace(/01$/, "00") } });
		await service.call("/livez", { headers: { traceparent: "00-zz-zz-01" } });
		await service.close();
		expect(collector.spans).toHaveLength(2);
		expect(collector.spans[0]).toMatchObject({ traceId: TRACE, parentSpanId: "00f067aa0ba902b7" });
		expect(collector.spans[1]?.traceId).not.toBe(TRACE);
	});

	it("cannot be continued or turned off by untrusted callers", async () => {
		const service = await start();
		await service.call("/livez", { headers: { traceparent: TRACEPARENT } });
		await service.call("/livez", { headers: { traceparent: TRACEPARENT.replace(/01$/, "00") } });
		await service.close();
		expect(collector.spans).toHaveLength(2);
		expect(collector.spans.filter(({ traceId, parentSpanId }) => traceId === TRACE || parentSpanId)).toEqual([]);
	});

	it("are not created without the option", async () => {
		expect(startTracing(null)).toBeNull();
		expect(trace.getTracer("any").startSpan("none").isRecording()).toBe(false);
	});

	it("do not block the shutdown when the collector is down", async () => {
		const service = await start();
		collector.close();
		await service.call("/livez");
		await service.close();
	});
});
