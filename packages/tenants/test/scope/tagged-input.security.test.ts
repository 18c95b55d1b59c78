import type { GenericEndpointContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { withTag } from "../../src/scope/pin/tag.ts";
import { readTaggedInput } from "../../src/scope/request/tagged-input.ts";

const LINK = "/reset-password";
const CALLBACK = "/callback/:id";
const [ACME, GLOBEX] = [withTag("secret", "acme"), withTag("secret", "globex")];

const read = (path: string, parts: object) => readTaggedInput({ path, ...parts } as GenericEndpointContext);

describe("a tagged value of a request", () => {
	it("is the token of a link, or the state of a callback, in any part of the request", () => {
		for (const part of ["params", "body", "query"]) {
			expect(read(LINK, { [part]: { token: ACME } })?.tagged).toEqual({ value: "secret", tenantId: "acme" });
			expect(read(CALLBACK, { [part]: { state: GLOBEX } })?.tagged).toEqual({ value: "secret", tenantId: "globex" });
			expect(read(LINK, { [part]: { state: ACME } })).toBeNull();
			expect(read(CALLBACK, { [part]: { token: ACME } })).toBeNull();
		}
	});

	it("is not read on other endpoints", () => {
		expect(read("/sign-in/email", { body: { token: ACME, state: ACME } })).toBeNull();
	});

	it("is missing if it is empty, and malformed if it is no text", () => {
		expect(read(LINK, { body: { token: "" }, query: {} })).toBeNull();
		expect(read(LINK, { body: "token", params: null })).toBeNull();
		expect(read(LINK, { body: { token: [ACME] } })?.tagged).toBeNull();
		expect(read(LINK, { body: { token: "secret~not a tag" } })?.tagged).toBeNull();
	});

	// one value could choose the tenant, and a plugin could use the other one in it
	it("is malformed if two parts differ, whichever names the tenant", () => {
		for (const [one, other] of [
			[ACME, GLOBEX],
			[GLOBEX, ACME],
			[ACME, "secret"],
		])
			expect(read(LINK, { body: { token: one }, query: { token: other } })?.tagged).toBeNull();
		expect(read(LINK, { body: { token: ACME }, query: { token: ACME } })?.tagged?.tenantId).toBe("acme");
		expect(read(LINK, { body: { token: ACME }, query: { token: "" } })?.tagged?.tenantId).toBe("acme");
	});

	it("is replaced in every part that has it, beside everything else", () => {
		const found = read(LINK, {
			body: { token: ACME, password: "new" },
			query: { token: ACME, lang: "en" },
			params: {},
		});
		expect(found?.untagged("plain")).toEqual({
			body: { token: "plain", password: "new" },
			query: { token: "plain", lang: "en" },
		});
	});
});
