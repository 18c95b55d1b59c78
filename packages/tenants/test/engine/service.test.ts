import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { contextOf, defineService } from "../../src/engine/service.ts";

const SOURCE = join(import.meta.dirname, "../../src");
/** Provided by companions only. */
const OPTIONAL = ["eraseMore", "invitations", "restrictMethods"];

/** The names of all services, as the sources define them. */
const defined = (): string[] =>
	readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
		.filter((file) => file.endsWith(".ts"))
		.flatMap((file) => [
			...readFileSync(join(SOURCE, file), "utf8").matchAll(/^(?!.*\*).*defineService<[\s\S]*?>\("(\w+)"\)/gm),
		])
		.map(([, name]) => name ?? "");

describe("a service", () => {
	it("has a name of its own, and is provided when Better Auth starts", async () => {
		const names = defined();
		expect(names.length).toBeGreaterThan(30);
		expect(new Set(names).size).toBe(names.length);
		const { auth } = await createWorld();
		const { context } = (await contextOf(auth)) as { context: { tenantAuth: object } };
		expect(Object.keys(context.tenantAuth).sort()).toEqual(names.filter((name) => !OPTIONAL.includes(name)).sort());
	});

	it("belongs to one instance", async () => {
		const [one, other] = [await createWorld(), await createWorld()];
		const answerOf = defineService<number>("answer");
		answerOf.provide(await contextOf(one.auth), 42);
		expect(answerOf(await contextOf(one.auth))).toBe(42);
		expect(answerOf.find(await contextOf(other.auth))).toBeUndefined();
		expect(() => answerOf.find({ context: {} })).not.toThrow();
	});

	it("throws if the context was replaced, or nobody provides it", async () => {
		const { auth } = await createWorld();
		const missingOf = defineService<number>("missing");
		const context = await contextOf(auth);
		expect(() => missingOf(context)).toThrow('The plugin that provides "missing" is not installed.');
		expect(() => missingOf({ context: {} })).toThrow("tenants cannot be isolated");
		expect(() => missingOf.provide({ context: {} }, 1)).toThrow("tenants cannot be isolated");
	});
});
