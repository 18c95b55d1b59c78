import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { socialProviders } from "better-auth/social-providers";
import { ORIGIN, type World } from "test-kit/world";
import { describe, expect, it } from "vitest";
import {
	PROVIDER_DOCS,
	PROVIDER_PAGES,
	renderProviderDocs,
	renderProviderPages,
} from "../../scripts/write-provider-docs.ts";
import { PROVIDER_SETTINGS, type ProviderSettings } from "../../src/features/oauth/provider-settings.ts";
import { readTag } from "../../src/scope/pin/tag.ts";
import { EXPECTED, PROVIDERS, type ProviderId } from "./support/expected-providers.ts";
import {
	CLIENT_ID,
	createStrictWorld,
	EXTRA_SCOPE,
	forbidNetwork,
	start,
	startWith,
} from "./support/provider-requests.ts";

forbidNetwork();

describe("the provider table", () => {
	it("lists exactly Better Auth's providers", () => {
		const ids = Object.keys(socialProviders).sort();
		expect(Object.keys(PROVIDER_SETTINGS).sort()).toEqual(ids);
		expect(Object.keys(EXPECTED).sort()).toEqual(ids);
		expect(ids.length).toBe(36);
	});

	it("describes PKCE and required settings as the requests show", () => {
		for (const [id, { pkce, options }] of PROVIDERS) {
			const described: ProviderSettings = PROVIDER_SETTINGS[id as ProviderId];
			const required = Object.entries(described.settings).filter(([, setting]) => setting.required);
			expect([id, described.pkce]).toEqual([id, pkce]);
			expect([id, required.map(([name]) => name).sort()]).toEqual([id, Object.keys(options ?? {}).sort()]);
		}
	});

	it("lists as authority only existing settings, and every setting that names a host", () => {
		for (const { authority, settings } of Object.values<ProviderSettings>(PROVIDER_SETTINGS)) {
			expect(Object.keys(settings)).toEqual(expect.arrayContaining(authority));
			const hosts = Object.entries(settings).filter(([, { kind }]) => kind === "host");
			expect(authority).toEqual(expect.arrayContaining(hosts.map(([name]) => name)));
		}
	});

	it("matches docs/providers.md, which `pnpm docs:providers` writes", () => {
		expect(readFileSync(PROVIDER_DOCS, "utf8")).toBe(renderProviderDocs());
		const pages = renderProviderPages();
		expect(readdirSync(PROVIDER_PAGES).toSorted()).toEqual([...pages.keys()].map((id) => `${id}.md`).toSorted());
		for (const [id, page] of pages) expect(readFileSync(new URL(`${id}.md`, PROVIDER_PAGES), "utf8")).toBe(page);
	});
});

describe.each(PROVIDERS)("%s", (providerId, expected) => {
	// threat 21
	it("starts with the tenant's client, callback and scopes, and a new state", async () => {
		const world = await createStrictWorld();
		const [tenantId, neighbor] = [await world.newTenant(), await world.newTenant()];
		const url = await startWith(world, tenantId, providerId, expected.options);
		const sent = url.searchParams;

		expect(`${url.origin}${url.pathname}`).toBe(expected.at);
		expect(url.protocol).toBe("https:");
		expect([url.username, url.password, url.port]).toEqual(["", "", ""]);
		expect(sent.getAll(expected.clientParameter ?? "client_id")).toEqual([CLIENT_ID]);
		expect(sent.getAll("response_type")).toEqual([expected.responseType ?? "code"]);
		const callback = `${ORIGIN}/api/auth/tenant/callback/${providerId}`;
		expect(sent.getAll("redirect_uri")).toEqual([callback]);

		const scopes = sent.getAll("scope").flatMap((list) => list.split(/[ ,]/));
		expect(scopes.sort()).toEqual(expected.scopes === null ? [] : [...expected.scopes, EXTRA_SCOPE].sort());

		const again = new URL((await start(world, tenantId, providerId)).json.url).searchParams;
		const states = [sent.get("state") ?? "", again.get("state") ?? ""].map(readTag);
		for (const state of states) {
			expect(state?.tenantId).toBe(tenantId);
			expect(state?.value).toMatch(/^[A-Za-z0-9_-]{32,}$/);
		}
		expect(states[0]?.value).not.toBe(states[1]?.value);

		const challenges = [sent.get("code_challenge"), again.get("code_challenge")];
		if (expected.pkce) {
			expect(sent.getAll("code_challenge_method")).toEqual(["S256"]);
			expect(challenges.sort()).toEqual((await storedChallenges(world)).sort());
			expect(challenges[0]).not.toBe(challenges[1]);
		} else {
			expect(challenges).toEqual([null, null]);
			expect(sent.has("code_challenge_method")).toBe(false);
		}

		const missing = await start(world, neighbor, providerId);
		expect([missing.status, missing.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
	});
});

/** The challenges (RFC 7636, section 4.2) of the stored verifiers. */
const storedChallenges = async (world: World): Promise<(string | null)[]> => {
	const rows = await world.database.query('select "value" from "verification"');
	return rows.map(({ value }) =>
		createHash("sha256")
			.update(JSON.parse(String(value)).codeVerifier)
			.digest("base64url"),
	);
};
