import { Browser } from "test-kit/browser";
import { describe, expect, it } from "vitest";
import { createMovable } from "./support/movable.ts";

describe("an admin who moves to another tenant", () => {
	// threat 82
	it.each([
		["the database", false],
		["Redis", true],
	])("keeps no session of a user that they impersonated, in %s", async (_name, redis) => {
		const { a, b, signUp, signIn, database, call, ok, move, whoami } = await createMovable({
			redis,
			engine: { session: { storeSessionInDatabase: true } },
		});
		const [ada, grace] = [await signUp(a, "ada"), await signUp(a, "grace")];
		const other = await signUp(b, "edsger");
		await database.query(`update "user" set "role" = 'admin' where "id" = '${ada.id}'`);
		// the stored session has the old role
		const admin = new Browser();
		await signIn(a, ada.email, admin);
		await ok("/admin/impersonate-user", { browser: admin, body: { userId: grace.id } });
		expect((await whoami(admin)).user.id).toBe(grace.id);
		expect(await move({ from: a, to: b, userIds: [ada.id], keepRoles: true })).toMatchObject({ moved: 1 });
		const seen = await call("/list-sessions", { browser: admin });
		expect([seen.status, (await call("/get-session", { browser: admin })).json]).toEqual([401, null]);
		for (const { browser, id } of [grace, other]) expect((await whoami(browser)).user.id).toBe(id);
	});
});
