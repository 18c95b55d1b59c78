import { expect, it } from "vitest";
import { PAGE_PATHS } from "../../src/lib/page-paths.ts";
import { startEcho } from "../support/echo.ts";

it("has no page and no style sheet unless PAGES is true", async () => {
	const world = await startEcho({ environment: { TENANT_RESOLVER: "path" } });
	try {
		for (const path of [...PAGE_PATHS, "/t/acme/sign-in", "/pages/brand.0057b8.none.css"]) {
			const answer = await fetch(`${world.url}${path}`);
			expect([path, answer.status, await answer.json()]).toEqual([
				path,
				404,
				expect.objectContaining({ code: "NOT_FOUND" }),
			]);
		}
	} finally {
		await world.close();
	}
});
