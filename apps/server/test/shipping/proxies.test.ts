import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { createMetrics } from "../../src/measure/metrics.ts";
import { createHttpServer } from "../../src/serve/http-server.ts";
import { LEAST } from "../config/environment.ts";

const read = (name: string): string => readFileSync(new URL(`../../proxies/${name}`, import.meta.url), "utf8");
const { http, tenants } = readConfig(LEAST);
const { server } = createHttpServer({
	listener: () => {},
	metrics: createMetrics({ pool: null }),
	requestTimeout: http.requestTimeout,
});

/** What the samples say in their own words. */
const SAMPLES = {
	"nginx.conf": {
		body: /client_max_body_size (\d+);/,
		headers: /client_header_timeout (\d+)s;/,
		response: /proxy_read_timeout (\d+)s;/,
		idle: /keepalive 64;[\s\S]*?keepalive_timeout (\d+)s;/,
		dropped: /proxy_set_header (X-Gateway-Tenant) "";/,
	},
	"haproxy.cfg": {
		body: /content-length\) gt (\d+)/,
		headers: /timeout http-request (\d+)s/,
		response: /timeout server (\d+)s/,
		idle: /timeout http-keep-alive (\d+)s/,
		dropped: /http-request del-header (X-Gateway-Tenant)/,
	},
	Caddyfile: {
		body: /max_size (\d+)MiB/,
		headers: /read_header (\d+)s/,
		response: /response_header_timeout (\d+)s/,
		idle: /keepalive (\d+)s/,
		dropped: /header_up -(X-Gateway-Tenant)/,
	},
};

describe.each(Object.entries(SAMPLES))("%s", (name, { body, headers, response, idle, dropped }) => {
	const text = read(name);
	const found = (pattern: RegExp): string => {
		const [, value] = pattern.exec(text) ?? [];
		if (value === undefined) throw new Error(`${name} has no ${pattern}`);
		return value;
	};

	it("drops the header in which a gateway names the tenant", () => {
		expect(found(dropped).toLowerCase()).toBe(tenants.resolverHeader);
	});

	it("has limits that fit the server's", () => {
		const size = Number(found(body));
		// Caddy answers with 502 where it ends a body, so the server's own limit comes first
		if (name === "Caddyfile") expect(size * 2 ** 20).toBeGreaterThan(http.bodyLimit);
		else expect(size).toBe(http.bodyLimit);
		expect(Number(found(headers)) * 1000).toBe(server.headersTimeout);
		// whoever closes an idle connection first must be the one that sends requests
		expect(Number(found(idle)) * 1000).toBeLessThan(server.keepAliveTimeout);
		expect(Number(found(response))).toBeGreaterThan(tenants.deletionDrainTime + http.requestTimeout);
	});

	it("names two processes at the server's default port, and trusts nobody else", () => {
		for (const address of ["10.0.0.11", "10.0.0.12"]) expect(text).toContain(`${address}:${http.port}`);
		expect(text).toContain("TRUSTED_PROXIES=10.0.0.2,");
		expect(text).not.toMatch(/^\s*(trusted_proxies|option forwardfor|set_real_ip_from)/m);
	});
});
