import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { startLocalChromium } from "test-kit/chromium/start";

type Given = {
	port: number;
	/** The link that was sent to an address. */
	linkOf: (email: string) => string;
	/** Modules of the browser: what accepts an invitation, and what an owner does. */
	accept: string;
	rule: string;
};

type Answer = { status: number; body: Record<string, unknown> | null };

/** Is the first owner of a new customer, in a browser: accepts, invites and sets the rules. Returns what was seen. */
export const openOwner = async ({ port, linkOf, accept, rule }: Given): Promise<string[]> => {
	const browser = await startLocalChromium();
	try {
		const page = await browser.newPage();
		page.on("pageerror", (error) => console.error(error));
		await page.goto(linkOf("olivia@initech.com"));
		await runModule(page, accept);
		const session = await send(page, "/get-session");
		const olivia = session.body?.user as { email: string; role: string; tenantId: string } | undefined;
		assert.equal(olivia?.email, "olivia@initech.com");
		assert.equal(olivia.role, "owner");

		await runModule(page, rule);
		assert.match(linkOf("ben@initech.com"), new RegExp(`^http://initech\\.localhost:${port}/invitation\\?token=`));
		const { body: policy } = await send(page, `/tenant/policy/get?tenantId=${olivia.tenantId}`);
		assert.deepEqual(policy?.own, { ...(policy?.own as object), secondFactor: "required-for-admins" });

		const again = await send(page, "/tenant/invitation/accept", {
			token: new URL(linkOf("olivia@initech.com")).searchParams.get("token"),
			name: "Mallory",
			password: "a long enough password",
		});
		assert.equal(again.status, 404, "An invitation can be used twice.");
		const stranger = { name: "Eve", email: "eve@example.com", password: "a long enough password" };
		const refused = await send(page, "/sign-up/email", stranger);
		assert.equal(refused.body?.code, "SIGN_UP_NOT_ALLOWED");

		// the neighbor from the start page
		await page.goto(`http://acme.localhost:${port}/`);
		assert.equal((await send(page, "/get-session")).body, null);
		const { status } = await send(page, `/tenant/policy/get?tenantId=${olivia.tenantId}`);
		assert.ok(status === 401 || status === 403 || status === 404, `The neighbor reads the policy: ${status}`);
		return [
			"the first owner accepts by the printed link, and is signed in",
			"the owner invites an admin and sets the policy of their tenant",
			"a used link, a stranger's sign-up and a neighbor are refused",
		];
	} finally {
		await browser.close();
	}
};

/** Runs a module on the page until its last line. */
const runModule = async (page: Page, content: string): Promise<void> => {
	await page.evaluate(() => {
		document.title = "";
	});
	await page.addScriptTag({ type: "module", content });
	await page.waitForFunction(() => document.title === "done");
};

/** Sends a request from the page, with its cookies. */
const send = (page: Page, path: string, body?: object): Promise<Answer> =>
	page.evaluate(
		async ([url, sent]) => {
			const response = await fetch(
				url,
				sent ? { method: "POST", headers: { "content-type": "application/json" }, body: sent } : {},
			);
			return { status: response.status, body: await response.json() };
		},
		[`/api/auth${path}`, body ? JSON.stringify(body) : null] as const,
	);
