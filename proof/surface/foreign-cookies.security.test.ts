import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import { twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { PASSWORD } from "test-kit/world";
import { describe, expect, it, vi } from "vitest";
import { callerOf, isOtherSession, ownRequest } from "./attackers.ts";
import { createFurnished } from "./furnished.ts";

// only ends what hangs
vi.setConfig({ testTimeout: 1_200_000, hookTimeout: 1_200_000 });

/** The response to an unreadable admin cookie, regardless of its origin. */
const UNREADABLE = { "/admin/stop-impersonating": 500 } as Record<string, number>;
const ACTIVE_SESSION = /\.session_(token|data)$/;

/** All tenants on one host share its cookies, and a browser may have those of several. */
describe("a cookie of another tenant", () => {
	// threat 80
	it("reveals nothing of another tenant for any of its cookies except a session, next to one's own session", async () => {
		const { sideA, sideB, steps, sweep, problems, hintFor } = await createFurnished({});
		const { boss, waiting, impersonator, flow, passkey } = sideB;
		const jars = [boss.browser, waiting, impersonator, flow, passkey.registering, passkey.signingIn];
		const theirs = jars.flatMap((jar) => [...jar.cookies]).filter(([name]) => !ACTIVE_SESSION.test(name));
		expect(new Set(theirs.map(([name]) => name)).size).toBeGreaterThanOrEqual(6);
		const found: unknown[] = [];
		for (const { path, method, row } of steps) {
			const browser = callerOf(sideA, row).copy();
			for (const [name, value] of theirs)
				if (!(row.endsDevice && isOtherSession(name))) browser.cookies.set(name, value);
			const own = { ...ownRequest(row, sideA, method), browser, hint: hintFor(row) };
			const outcome = await sweep.send(path, { method, ...own });
			const fails = UNREADABLE[path] ?? row.fails;
			const seen = problems(outcome, { ...row, ...(fails ? { fails } : {}) });
			found.push(...seen.map((problem) => [method, path, problem]));
		}
		expect(found).toEqual([]);
	});

	// threat 80
	it("requires the second factor on a device that is trusted in another tenant", async () => {
		const { a, b, ok, signUp } = await composedWorld([twoFactor()]);
		const body = { email: "ada@example.com", password: PASSWORD };
		const trusting = async (tenant: string): Promise<Browser> => {
			const browser = await signUp(tenant, body.email);
			const { totpURI } = (await ok("/two-factor/enable", { browser, body: { password: PASSWORD } })).json;
			const secret = base32.decode(new URL(totpURI).searchParams.get("secret") ?? "");
			const code = () => createOTP(new TextDecoder().decode(secret)).totp();
			await ok("/two-factor/verify-totp", { browser, body: { code: await code() } });
			const device = new Browser();
			await ok("/sign-in/email", { tenant, browser: device, body });
			await ok("/two-factor/verify-totp", { browser: device, body: { code: await code(), trustDevice: true } });
			return device;
		};
		const devices = new Map([
			[a, await trusting(a)],
			[b, await trusting(b)],
		]);
		for (const [owner, device] of devices) {
			for (const tenant of [a, b]) {
				const { json } = await ok("/sign-in/email", { tenant, browser: device.copy(), body });
				expect(json.twoFactorRedirect).toBe(tenant === owner ? undefined : true);
			}
		}
	});
});
