import { createWorld } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { requiredOf } from "./support/expected-providers.ts";
import { createStrictWorld, expectRefused, forbidNetwork, SETTINGS, startWith } from "./support/provider-requests.ts";

forbidNetwork();

// threat 23
describe("provider settings that try to reach another server", () => {
	/** None of these is valid for any setting. */
	const INJECTIONS = [
		"evil.com/",
		"x@evil.com",
		"../",
		"..",
		"a?b",
		"#",
		"a#b",
		"evil.com\\",
		"a%2fb",
		"a:b@evil.com",
		"//evil.com",
		"eu-central-1.evil.com/",
		"eu-central-1_Ab/../x",
		"a\nb",
		"a\tb",
		" ",
		"",
		"\u0000",
		"x".repeat(2001),
	];
	const OTHER_KINDS: unknown[] = [null, 1, {}, [], ["a"], { toString: "a" }];

	const isHost = ({ setting }: (typeof SETTINGS)[number]) => setting.kind === "host";
	it.each(SETTINGS.filter((setting) => !isHost(setting)))(
		"are rejected: $id",
		async ({ providerId, name, setting }) => {
			const world = await createStrictWorld();
			const tenantId = await world.newTenant();
			for (const value of [...INJECTIONS, ...OTHER_KINDS, setting.kind === "flag" ? "true" : true]) {
				await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
			}
		},
	);

	it.each(SETTINGS.filter(isHost))("are rejected as a host: $id", async ({ providerId, name, setting }) => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const refused = [
			// except these, which are a host with a slash
			...INJECTIONS.filter((value) => !value.endsWith(".com/")),
			...OTHER_KINDS,
			"http://idp.example.com",
			"ftp://idp.example.com",
			"javascript:alert(1)",
			"data:text/html,x",
			"https://user@idp.example.com",
			"https://user:pass@idp.example.com",
			"https://idp.example.com?a=b",
			"https://idp.example.com?",
			"https://idp.example.com#a",
			"https://idp.example.com\\@evil.com",
			"https://idp.example.com/%2e%2e",
			" https://idp.example.com",
			"https://idp.example.com\n",
			"https://idp.example.com.",
			"https://intranet",
			"https://printer.local",
			"https://vault.internal",
			"https://nas.home.arpa",
			"https://localhost",
			"https://a.localhost",
			"https://127.0.0.1",
			"https://127.1",
			"https://2130706433",
			"https://0x7f000001",
			"https://0.0.0.0",
			"https://10.0.0.1",
			"https://192.168.0.1",
			"https://169.254.169.254",
			"https://[::1]",
			"https://[::ffff:127.0.0.1]",
			"https://[fd00::1]",
			"https://metadata.google.internal",
			"https://",
			"https:idp.example.com",
			"https:////idp.example.com",
			"https://idp.example.com//path",
			"https://idp.example.com:99999",
			...(setting.kind === "host" && setting.path ? [] : ["https://idp.example.com/path"]),
			// the engine would not prefix it with https://
			...(setting.kind === "host" && setting.form === "url"
				? ["idp.example.com"]
				: ["127.0.0.1", "localhost:3000", "[::1]"]),
		];
		for (const value of refused) {
			await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
		}
	});

	it("may name private hosts, and nothing but hosts, with allowPrivateHosts", async () => {
		const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: true } } });
		const tenantId = await world.newTenant();
		const url = await startWith(world, tenantId, "gitlab", { issuer: "http://127.0.0.1:4000" });
		expect(url.origin).toBe("http://127.0.0.1:4000");
		for (const issuer of ["http://user@127.0.0.1", "http://127.0.0.1?a", "ftp://127.0.0.1", "javascript:alert(1)"]) {
			await expectRefused(world, tenantId, "gitlab", { issuer });
		}
	});

	// threat 22
});
