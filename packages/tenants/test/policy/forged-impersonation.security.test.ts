import { jwt } from "better-auth/plugins";
import { expect, it } from "vitest";
import { withTag } from "../../src/scope/pin/tag.ts";
import { policyWorld } from "./support/policy-world.ts";

const ADA = "ada@example.com";
const engine = { advanced: { disableOriginCheck: false, ipAddress: { ipAddressHeaders: ["x-real-ip"] } } };
const OUTSIDE = { "x-real-ip": "198.51.100.7" };

// threat 114
it("does not open a tenant's IP ranges to a made-up token of an impersonated session", async () => {
	const { a, b, set, signUp, call } = await policyWorld({ engine, plugins: [jwt()] });
	const [ada, neighbor] = [await signUp(a, ADA), await signUp(b, ADA)];
	await set(a, { ipRanges: ["203.0.113.0/24"] });
	// as the server writes them: anyone can compute the tag of a tenant
	const forged = (letter: string, tenant = a) => withTag(`impersonated-${letter.repeat(32)}`, tenant);
	const many = Array.from({ length: 11 }, (_, at) => `c${at}=${forged(String.fromCharCode(65 + at))}`);
	const tries: Record<string, string>[] = [
		{ "x-anything": forged("x") },
		{ "x-anything": forged("x", b) },
		{ authorization: `Bearer ${forged("x")}` },
		{ authorization: `Bearer ${forged("x")}.signature` },
	];
	for (const headers of tries) {
		const answer = await call("/get-session", { browser: ada.copy(), headers: { ...OUTSIDE, ...headers } });
		expect([headers, answer.status, answer.code]).toEqual([headers, 403, "IP_ADDRESS_NOT_ALLOWED"]);
		expect(answer.headers.get("set-auth-jwt")).toBeNull();
	}
	const crowded = ada.copy();
	for (const cookie of many) crowded.cookies.set(cookie.split("=")[0] ?? "", cookie.split("=")[1] ?? "");
	expect((await call("/get-session", { browser: crowded, headers: OUTSIDE })).code).toBe("IP_ADDRESS_NOT_ALLOWED");
	expect((await call("/get-session", { browser: neighbor, headers: OUTSIDE })).json.user.tenantId).toBe(b);
});
