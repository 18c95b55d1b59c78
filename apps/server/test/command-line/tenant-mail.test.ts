// cspell:ignore Kundendienst
import { afterAll, beforeAll, expect, it } from "vitest";
import { createServed, type Served } from "./support/served.ts";

let served: Served;
beforeAll(async () => {
	served = await createServed({ MAIL_SENDER_DOMAINS: "acme.example" });
	for (const [slug, metadata] of [
		["acme", '{"plan":"pro"}'],
		["globex", '{"plan":"free","mail":{"locale":"ja"}}'],
	] as const)
		await served.run(["tenant", "create", "--name", slug, "--slug", slug, "--metadata", metadata]);
});
afterAll(() => served.close());

const mail = (...args: string[]) => served.run(["tenant", "mail", ...args, "--json"]);
const metadataOf = async (slug: string) =>
	((await served.run(["tenant", "get", "--slug", slug, "--json"])).json() as { metadata: unknown }).metadata;

it("sets, merges, shows and clears the settings of one tenant, and keeps its other metadata", async () => {
	expect((await mail("acme")).json()).toEqual({});
	const first = await mail("acme", "--locale", "de", "--from", "noreply@acme.example");
	expect(first).toMatchObject({ code: 0, stderr: "" });
	await mail("acme", "--sender-name", "Acme Kundendienst", "--reply-to", "hilfe@acme.example");
	const all = {
		locale: "de",
		from: "noreply@acme.example",
		senderName: "Acme Kundendienst",
		replyTo: "hilfe@acme.example",
	};
	expect((await mail("acme")).json()).toEqual(all);
	expect(await metadataOf("acme")).toEqual({ plan: "pro", mail: all });
	const shown = await served.run(["tenant", "mail", "acme"]);
	expect(shown.stdout).toBe(
		"tenant       acme\nlocale       de\nsender-name  Acme Kundendienst\nfrom         noreply@acme.example\nreply-to     hilfe@acme.example\n",
	);

	const cleared = await mail("acme", "--clear", "from", "reply-to", "--locale", "fr");
	expect(cleared.json()).toEqual({ locale: "fr", senderName: "Acme Kundendienst" });
	await mail("acme", "--clear", "locale", "--clear", "sender-name");
	expect(await metadataOf("acme")).toEqual({ plan: "pro" });
	expect((await served.run(["tenant", "mail", "acme"])).stdout).toContain("from         (default)\n");
	expect(await metadataOf("globex")).toEqual({ plan: "free", mail: { locale: "ja" } });
});

it("prints why settings are refused, and changes nothing", async () => {
	const refused = await mail("globex", "--from", "noreply@globex.example");
	expect(refused).toMatchObject({ code: 1, stdout: "" });
	expect(refused.error()).toMatchObject({
		code: "TENANT_MAIL_INVALID",
		message: expect.stringContaining("MAIL_SENDER_DOMAINS"),
	});
	expect((await mail("globex", "--locale", "tlh")).error().code).toBe("USAGE");
	expect((await mail("globex", "--clear", "everything")).error().code).toBe("USAGE");
	expect((await mail("nobody")).error().code).toBe("TENANT_NOT_FOUND");
	expect(await metadataOf("globex")).toEqual({ plan: "free", mail: { locale: "ja" } });
});

it("imports a tenant with its settings if its domain is listed here", async () => {
	const line = (slug: string, domain: string) =>
		JSON.stringify({ id: slug, name: slug, slug, metadata: { mail: { from: `noreply@${domain}` } } });
	const stdin = `${line("moved-1", "acme.example")}\n${line("moved-2", "globex.example")}\n`;
	const ran = await served.run(["tenant", "import"], { stdin });
	expect(`${ran.stdout}${ran.stderr}`).toContain("TENANT_MAIL_INVALID");
	expect(await metadataOf("moved-1")).toEqual({ mail: { from: "noreply@acme.example" } });
	expect((await served.run(["tenant", "get", "--slug", "moved-2"])).code).toBe(1);
});
