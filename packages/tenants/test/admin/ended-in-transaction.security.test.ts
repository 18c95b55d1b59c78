import { expect, it } from "vitest";
import { createAdministered } from "./support/administered.ts";

// threat 161: an admin who is demoted meanwhile waits for the transaction, or is refused in it
it("ends the sessions of a user in the transaction that checks the role of the caller", async () => {
	const { world, act, inA, inB } = await createAdministered();
	const { statements } = world.database;
	statements.length = 0;
	expect((await act(inA.admin, "end-sessions", inA.member)).status).toBe(200);
	const ends = statements.findIndex(
		(sql) => /^update "user" set .*"rightsEpoch"/.test(sql) && sql.includes(inA.member.id),
	);
	const commits = statements.findLastIndex((sql, at) => at < ends && /^(begin|commit)/i.test(sql));
	expect(ends).toBeGreaterThan(0);
	expect(statements[commits]).toMatch(/^begin/i);
	// the same transaction locked the tenant and read the caller: a write by itself has one of its own
	const before = statements.slice(commits, ends);
	expect(before.some((sql) => /^update "tenant"/.test(sql))).toBe(true);
	expect(before.some((sql) => /^select/.test(sql) && sql.includes(inA.admin.id))).toBe(true);
	expect((await world.call("/get-session", { browser: inA.member.browser })).json).toBeNull();
	expect((await world.call("/get-session", { browser: inB.member.browser })).json).not.toBeNull();
});
