import { createAuthEndpoint } from "better-auth/api";
import { describe, expect, it } from "vitest";
import { createKeptOptions } from "../../src/scope/request/request-scope.ts";
import { createHostedWorld } from "../resolve/support/hosted-world.ts";

const at = (baseURL: string, more: object = {}) => ({ baseURL, appName: "Acme", ...more });

describe("options of a host", () => {
	it("are the same object for equal options, and another one for another host or another value", () => {
		const keep = createKeptOptions();
		const first = at("http://acme.localhost");
		expect(keep(first)).toBe(first);
		expect(keep(at("http://acme.localhost"))).toBe(first);

		const other = at("http://globex.localhost");
		expect(keep(other)).toBe(other);
		for (const changed of [{ trustedOrigins: ["https://example.com"] }, { appName: "Globex" }]) {
			const options = at("http://acme.localhost", changed);
			expect(keep(options)).toBe(options);
		}
	});

	it("without a host are their own", () => {
		const keep = createKeptOptions();
		const baseURL = { allowedHosts: ["acme.localhost"] };
		for (const options of [{ baseURL }, { baseURL }]) expect(keep(options)).toBe(options);
	});

	it("are kept for a bounded number of hosts", () => {
		const keep = createKeptOptions();
		const first = at("http://acme.localhost");
		keep(first);
		for (let n = 0; n < 1000; n += 1) keep(at(`http://n${n}.localhost`));
		expect(keep(at("http://acme.localhost"))).not.toBe(first);
	});

	it("stay the same from request to request, so Better Auth derives its tables once", async () => {
		const seen: { options: object; baseURL: unknown }[] = [];
		const look = createAuthEndpoint("/look", { method: "GET" }, async ({ context, json }) => {
			seen.push({ options: context.options, baseURL: context.options.baseURL });
			return json({});
		});
		const world = await createHostedWorld({ plugins: [{ id: "look", endpoints: { look } }] });
		for (const host of ["acme.localhost", "acme.localhost", "globex.localhost"])
			expect((await world.at(host, "/look")).status).toBe(200);
		const [one, again, other] = seen;
		expect(again?.options).toBe(one?.options);
		expect(other?.options).not.toBe(one?.options);
		expect(new Set(seen.map(({ baseURL }) => baseURL)).size).toBe(2);
	});
});
