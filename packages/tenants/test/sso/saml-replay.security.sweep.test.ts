import { describe, expect, it } from "vitest";
import { acsOf, entityOf, useSamlProvider } from "./support/saml-world.ts";

const samlWorld = useSamlProvider();

describe.each(["sqlite", "postgres", "mysql"] as const)("a replayed SAML assertion, on %s", (database) => {
	// threat 70
	it.each([undefined, "uuid"] as const)("is rejected, with ids of kind %s", async (generateId) => {
		const engine = generateId ? { advanced: { disableOriginCheck: false, database: { generateId } } } : {};
		const { a, b, respond, post } = await samlWorld({ allowIdpInitiated: true }, engine, database);
		const response = await respond({ audience: entityOf(a), recipient: acsOf(a) });
		const used = await Promise.all([1, 2, 3].map(() => post(acsOf(a), response)));
		expect(used.filter(({ user }) => user !== null)).toHaveLength(1);
		expect(await post(acsOf(a), response)).toMatchObject({ user: null });
		const own = await respond({ audience: entityOf(b), recipient: acsOf(b) });
		expect(await post(acsOf(b), own)).toMatchObject({ user: { tenantId: b } });
	});

	// threat 70: numbers cannot be derived from a name, so replays cannot be detected
	it("rejects every response if ids are numbers", async () => {
		const engine = { advanced: { disableOriginCheck: false, database: { generateId: "serial" as const } } };
		const { a, respond, post } = await samlWorld({ allowIdpInitiated: true }, engine, database);
		const response = await respond({ audience: entityOf(a), recipient: acsOf(a) });
		expect(await post(acsOf(a), response)).toMatchObject({ status: 500, user: null });
	});
});
