import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { sendTo } from "./send-to.ts";
import { photograph } from "./visitor.ts";

/** Visits a host that belongs to nobody: its endpoints return 404, and so do its pages, which say that nothing was found. */
export const visitNobody = async (browser: Browser, origin: string, pictures: string | null): Promise<void> => {
	assert.equal((await sendTo(origin, "/api/auth/get-session")).status, 404);
	assert.equal((await sendTo(origin, "/api/auth/tenant/current")).status, 404);
	const page = await browser.newPage();
	try {
		for (const path of ["/sign-in", "/"]) {
			const response = await page.goto(`${origin}${path}`);
			assert.equal(response?.status(), 404, `${origin}${path}`);
			await page.getByRole("heading", { name: /not found/i }).waitFor();
			assert.equal(await page.getByRole("button").count(), 0);
		}
		await photograph(page, pictures, "nobody");
	} finally {
		await page.close();
	}
};
