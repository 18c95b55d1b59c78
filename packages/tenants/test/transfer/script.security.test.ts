import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { MANAGEMENT_KEY, ORIGIN } from "test-kit/world";
import { expect, it } from "vitest";
import { createTransferable, userNamed } from "./transferable.ts";

const PAGE = readFileSync(new URL("../../../../docs/transfer.md", import.meta.url), "utf8");
const SCRIPT = PAGE.match(/```js\n([\s\S]+?)```/)?.[1] ?? "";

// threats 38 and 49
it("the script in docs/transfer.md moves a tenant, and sends its keys to no address from a response", async () => {
	const [old, fresh] = [await createTransferable(), await createTransferable()];
	const [moved, stays] = [await old.world.newTenant("moved"), await old.world.newTenant()];
	await old.importUsers(moved, [userNamed("ada"), userNamed("grace"), userNamed("edsger")]);
	await old.importUsers(stays, [userNamed("ada")]);
	const hosts: string[] = [];
	const fetch = async (address: string, init: RequestInit) => {
		const { host, pathname, searchParams } = new URL(address);
		hosts.push(host);
		if (pathname.endsWith("/export-users")) searchParams.set("limit", "1");
		const { auth } = host === "new.example.com" ? fresh.world : old.world;
		const answer = await auth.handler(new Request(`${ORIGIN}${pathname}?${searchParams}`, init));
		const link = answer.headers.get("link");
		if (link) answer.headers.set("link", link.replace(ORIGIN, "https://evil.example.net"));
		return answer;
	};
	const process = { env: { OLD_KEY: MANAGEMENT_KEY, NEW_KEY: MANAGEMENT_KEY } };
	await runInNewContext(`(async () => {${SCRIPT}})()`, { fetch, process, tenantId: moved, URL, console: { log() {} } });
	expect(new Set(hosts)).toEqual(new Set(["old.example.com", "new.example.com"]));
	expect((await fresh.usersOf(moved)).map(({ name }) => name)).toEqual(["ada", "edsger", "grace"]);
	expect(await fresh.usersOf(stays)).toEqual([]);
});
