import { multiSession } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { createSecretVersions } from "../../src/scope/secrets/secret-versions.ts";
import { createTenantSecrets } from "../../src/scope/secrets/secrets.ts";
import { cookieNamed, createRotation, NEW, OLD } from "./support/secrets.ts";

const maxAgeOf = (cookie: string | undefined): number => Number(/max-age=(\d+)/i.exec(cookie ?? "")?.[1]);

// threat 97
describe("a cookie that another secret signed", () => {
	it("is renewed by get-session, so that its user stays signed in without the old secret", async () => {
		const rotation = await createRotation({ plugins: () => [multiSession()] });
		for (const tenant of [rotation.a, rotation.b, undefined]) {
			const [returning, away] = [
				await rotation.at("before").signUp(tenant, "returning@example.com"),
				await rotation.at("before").signUp(tenant, "away@example.com"),
			];
			expect(await rotation.at("first").emailOf(returning)).toBe("returning@example.com");
			expect(await rotation.at("removed").emailOf(returning)).toBe("returning@example.com");
			const { json } = await rotation.at("removed").call("/multi-session/list-device-sessions", { browser: returning });
			expect(json).toHaveLength(1);
			expect(await rotation.at("removed").emailOf(away)).toBeNull();
		}
	});

	it("lasts as long as its session after that, not longer", async () => {
		const rotation = await createRotation({ engine: { session: { expiresIn: 7_200, updateAge: 7_000 } } });
		const browser = await rotation.at("before").signUp(rotation.a, "ada@example.com");
		const [row] = await rotation.database.query('select "id" from "session"');
		const sooner = new Date(Date.now() + 3_600_000);
		await rotation.database.query(
			`update "session" set "expiresAt" = '${sooner.toISOString()}' where "id" = '${String(row?.id)}'`,
		);
		const seen = await rotation.at("first").call("/get-session", { browser });
		const cookie = seen.cookies.find((line) => line.includes("session_token="));
		expect(maxAgeOf(cookie)).toBeGreaterThan(0);
		expect(maxAgeOf(cookie)).toBeLessThanOrEqual(3_600);
	});

	it("is not renewed if the caller asks for no refresh, or by an endpoint that does not return the session", async () => {
		const rotation = await createRotation();
		const browser = await rotation.at("before").signUp(rotation.a, "ada@example.com");
		const quiet = await rotation.at("first").call("/get-session", { browser, query: { disableRefresh: "true" } });
		expect([quiet.json.user.email, quiet.cookies]).toEqual(["ada@example.com", []]);
		expect((await rotation.at("first").call("/list-sessions", { browser })).cookies).toEqual([]);
	});

	it("is left alone if the current secret signed it", async () => {
		const rotation = await createRotation();
		const browser = await rotation.at("first").signUp(rotation.a, "ada@example.com");
		const before = browser.cookies.get(cookieNamed(browser, "session_token"));
		const seen = await rotation.at("first").call("/get-session", { browser });
		expect([seen.json.user.email, seen.cookies]).toEqual(["ada@example.com", []]);
		expect(browser.cookies.get(cookieNamed(browser, "session_token"))).toBe(before);
	});
});

it("verifies nothing a second time with one secret, with or without a version", () => {
	const versionsOf = (secret: string, secretConfig: Parameters<typeof createSecretVersions>[0]["secretConfig"]) =>
		createSecretVersions({ secret, secretConfig }, createTenantSecrets({ secret, secretConfig }));
	const one = new Map([[1, OLD]]);
	expect(versionsOf(OLD, OLD)).toBeNull();
	expect(versionsOf(OLD, { keys: one, currentVersion: 1 })).toBeNull();
	expect(versionsOf(OLD, { keys: one, currentVersion: 1, legacySecret: OLD })).toBeNull();
	expect(versionsOf(OLD, { keys: one, currentVersion: 1, legacySecret: NEW })).not.toBeNull();
});
