import { get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runInRequest } from "../../src/lib/request-context.ts";
import { createMetrics, type Metrics } from "../../src/measure/metrics.ts";
import { observeProviderCalls } from "../../src/measure/provider-calls.ts";
import { startTracing } from "../../src/observe/tracing.ts";
import { startCollector } from "../support/collector.ts";
import { AUTH_URL } from "../support/environment.ts";
import { startGitlab } from "../support/gitlab.ts";
import { createWorld } from "../support/world.ts";

/** Like the plugin's calls to a tenant's server. */
const getByHttp = (url: string, { signal }: { signal?: AbortSignal } = {}): Promise<unknown> =>
	new Promise((resolve, reject) => {
		get(url, { agent: false, ...(signal ? { signal } : {}) }, (response) => resolve(response.resume())).on(
			"error",
			reject,
		);
	});

describe("calls to providers", () => {
	let gitlab: Awaited<ReturnType<typeof startGitlab>>;
	beforeEach(async () => {
		gitlab = await startGitlab();
	});
	afterEach(() => gitlab.close());

	describe.each([
		["fetch", fetch],
		["a separate connection", getByHttp],
	])("by %s", (_, call) => {
		let metrics: Metrics;
		let stop: () => void;
		beforeEach(() => {
			metrics = createMetrics({ pool: null });
			stop = observeProviderCalls(metrics);
		});
		afterEach(() => stop());

		const inRequest = (provider: string | null, work: () => Promise<unknown>) =>
			runInRequest({ requestId: "r", tenantSlug: null, tenantId: null, provider }, work);

		it("are timed by the provider of their request", async () => {
			await Promise.all([
				inRequest("gitlab", () => call(`${gitlab.url}/a`)),
				inRequest("google", () => call(`${gitlab.url}/b`)),
				inRequest("google", () => call(`${gitlab.url}/c`)),
			]);
			const text = await metrics.text();
			expect(text).toContain('provider_request_duration_seconds_count{provider="gitlab"} 1');
			expect(text).toContain('provider_request_duration_seconds_count{provider="google"} 2');
			expect(text).not.toContain("provider_errors_total{");
			expect(text).not.toContain("127.0.0.1");
		});

		it("are ignored outside of requests", async () => {
			await call(`${gitlab.url}/a`);
			await inRequest(null, () => call(`${gitlab.url}/b`));
			expect(await metrics.text()).not.toContain("provider_request_duration_seconds_count{");
		});

		it("that fail, hang or cannot connect are errors", async () => {
			gitlab.state.mode = "failing";
			await inRequest("gitlab", () => call(`${gitlab.url}/a`));
			gitlab.state.mode = "hanging";
			const aborted = { signal: AbortSignal.timeout(100) };
			await inRequest("gitlab", () => call(`${gitlab.url}/a`, aborted).catch(() => {}));
			gitlab.close();
			await inRequest("google", () => call(gitlab.url).catch(() => {}));
			await sleep(50);
			const text = await metrics.text();
			expect(text).toContain('provider_errors_total{provider="gitlab",kind="failed"} 1');
			expect(text).toContain('provider_errors_total{provider="gitlab",kind="unreachable"} 1');
			expect(text).toContain('provider_errors_total{provider="google",kind="unreachable"} 1');
		});

		it("are distinguished from trace exports during the request", async () => {
			const collector = await startCollector();
			const tracing = startTracing({ endpoint: collector.url, serviceName: "test" });
			await inRequest("gitlab", async () => {
				await call(`${gitlab.url}/a`);
				await tracing?.shutdown();
			});
			collector.close();
			expect(collector.spans.map(({ name }) => name)).toEqual(["provider gitlab"]);
			expect(await metrics.text()).toContain('provider_request_duration_seconds_count{provider="gitlab"} 1');
		});
	});

	it("of a tenant's sign-in are counted, traced and logged by provider", async () => {
		const collector = await startCollector();
		const world = await createWorld({
			environment: {
				SOCIAL_GITLAB_CLIENT_ID: "id",
				SOCIAL_GITLAB_CLIENT_SECRET: "canary-client-secret",
				SOCIAL_GITLAB_ISSUER: gitlab.url,
				OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
			},
			adjust: (config) => ({ ...config, observe: { ...config.observe, metrics: { host: "127.0.0.1", port: 0 } } }),
		});
		try {
			const service = await world.start();
			const acme = await service.createTenant("acme");
			const signIn = async () => {
				const begun = await service.post("/tenant/sign-in/social", {
					tenantId: acme,
					provider: "gitlab",
					callbackURL: `${AUTH_URL}/home`,
				});
				const { url } = (await begun.json()) as { url: string };
				const state = new URL(url).searchParams.get("state");
				const cookie = begun.headers
					.getSetCookie()
					.map((one) => one.split(";")[0])
					.join("; ");
				return service.call(`/api/auth/tenant/callback/gitlab?code=canary-code&state=${state}`, {
					headers: { cookie },
				});
			};
			const ended = await signIn();
			expect([ended.status, ended.headers.get("location")]).toEqual([302, `${AUTH_URL}/home`]);
			gitlab.state.mode = "failing";
			expect((await signIn()).headers.get("location")).toContain("error=");

			const text = await (await fetch(`http://127.0.0.1:${service.metricsPort}/metrics`)).text();
			expect(text).toContain('sign_ins_total{method="gitlab",outcome="pending"} 2');
			expect(text).toContain('sign_ins_total{method="gitlab",outcome="success"} 1');
			expect(text).toContain('sign_ins_total{method="gitlab",outcome="refused"} 1');
			expect(text).toMatch(/provider_request_duration_seconds_count\{provider="gitlab"\} [1-9]/);
			expect(text).toMatch(/provider_errors_total\{provider="gitlab",kind="failed"\} [1-9]/);

			await service.close();
			const callbacks = world.log.requests().filter(({ route }) => route === "/tenant/callback/:id");
			expect(callbacks.map(({ tenantId }) => tenantId)).toEqual([acme, acme]);
			const call = collector.spans.find(({ name }) => name === "provider gitlab");
			const parents = new Map(collector.spans.map((span) => [span.spanId, span]));
			let root = call;
			while (root?.parentSpanId) root = parents.get(root.parentSpanId);
			expect(root?.name).toBe("GET /tenant/callback/:id");
			expect(world.log.text() + collector.text()).not.toContain("canary");
		} finally {
			await world.close();
			collector.close();
		}
	});
});
