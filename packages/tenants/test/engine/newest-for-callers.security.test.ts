import { symmetricDecodeJWT, symmetricDecrypt, symmetricEncodeJWT, symmetricEncrypt } from "better-auth/crypto";
import { describe, expect, it } from "vitest";
import { newestForCallers } from "../../src/engine/newest-for-callers.ts";
import { createTenantSecrets } from "../../src/scope/secrets/secrets.ts";

const [OLD, NEW] = ["Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe", "b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa"];
const base = {
	secret: NEW,
	secretConfig: {
		keys: new Map([
			[2, NEW],
			[1, OLD],
		]),
		currentVersion: 2,
	},
};
const before = createTenantSecrets({ secret: OLD, secretConfig: { keys: new Map([[1, OLD]]), currentVersion: 1 } });
const all = createTenantSecrets(base);
const limited = createTenantSecrets(base, null, newestForCallers);

// the tests call the engine's own functions: they fail if it opens values in another way
describe.each(["acme", "globex", "platform"])("with the limited secrets of %s, Better Auth", (tenantId) => {
	// threat 98
	it.each(["better-auth-session", "better-auth-account"])("opens no cookie %s of an older version", async (salt) => {
		const data = { name: "Ada" };
		const [old, current] = [await before(tenantId), await limited(tenantId)];
		const forged = await symmetricEncodeJWT(data, old.secretConfig, salt);
		expect(await symmetricDecodeJWT(forged, current.secretConfig, salt)).toBeNull();
		expect(await symmetricDecodeJWT(forged, (await all(tenantId)).secretConfig, salt)).toMatchObject(data);
		const own = await symmetricEncodeJWT(data, current.secretConfig, salt);
		expect(await symmetricDecodeJWT(own, current.secretConfig, salt)).toMatchObject(data);
	});

	// threat 98
	it("decrypts stored values of every version, and encrypts with the newest", async () => {
		const [old, current] = [(await before(tenantId)).secretConfig, (await limited(tenantId)).secretConfig];
		const stored = await symmetricEncrypt({ key: old, data: "stored" });
		expect(await symmetricDecrypt({ key: current, data: stored })).toBe("stored");
		const again = await symmetricEncrypt({ key: current, data: "again" });
		expect(again).toMatch(/^\$ba\$2\$/);
		expect(await symmetricDecrypt({ key: current, data: again })).toBe("again");
		const other = (await limited(tenantId === "acme" ? "globex" : "acme")).secretConfig;
		await expect(symmetricDecrypt({ key: other, data: stored })).rejects.toThrow();
	});
});

// threat 98
it("lists no older version in any way", () => {
	const { keys } = newestForCallers(base.secretConfig) as typeof base.secretConfig;
	const listed: number[] = [];
	keys.forEach((_, version) => void listed.push(version));
	expect(listed).toEqual([2]);
	expect([...keys]).toEqual([[2, NEW]]);
	expect([...keys.entries(), ...new Map(keys)]).toEqual([
		[2, NEW],
		[2, NEW],
	]);
	expect([...keys.keys(), keys.size]).toEqual([2, 1]);
	expect([...keys.values()]).toEqual([NEW]);
	expect(newestForCallers(OLD)).toBe(OLD);
});
