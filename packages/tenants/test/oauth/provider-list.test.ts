import { describe, expect, it } from "vitest";
import { renderProviderPages } from "../../scripts/write-provider-docs.ts";
import { checkProviderOptions } from "../../src/features/oauth/config-input.ts";
import { PROVIDER_SETTINGS, type ProviderSettings } from "../../src/features/oauth/provider-settings.ts";
import { listOauthProviders } from "../../src/providers.ts";

const TABLE = Object.entries<ProviderSettings>(PROVIDER_SETTINGS);

describe("listOauthProviders", () => {
	it("returns the table that configs are checked with, and that the docs are written from", () => {
		const listed = new Map(listOauthProviders().map((provider) => [provider.id as string, provider]));
		expect([...listed.keys()].sort()).toEqual(TABLE.map(([id]) => id).sort());
		const pages = renderProviderPages();
		for (const [id, { name, console, pkce, settings }] of TABLE) {
			const provider = listed.get(id);
			expect(provider).toMatchObject({ id, name, console, pkce });
			expect(pages.get(id)).toContain(console);
			expect(provider?.options.map((option) => option.name)).toEqual(Object.keys(settings));
			for (const { name: option, description, required, kind, ...more } of provider?.options ?? []) {
				const setting = settings[option];
				expect([description, required, kind]).toEqual([setting?.says, setting?.required ?? false, setting?.kind]);
				expect(more.default).toBe(setting?.otherwise);
				expect(pages.get(id)).toContain(`\`${option}\``);
			}
		}
	});

	it("says which options are required, as the server does", () => {
		for (const { id, options } of listOauthProviders()) {
			const required = options.filter((option) => option.required);
			const check = () => checkProviderOptions(id, undefined, { allowPrivateHosts: false });
			if (required.length > 0) expect(check).toThrow(`${id} requires options.${required[0]?.name}`);
			else expect(check()).toBeNull();
		}
	});

	it("is data: a copy through JSON is the same", () => {
		const listed = listOauthProviders();
		expect(JSON.parse(JSON.stringify(listed))).toEqual(listed);
		for (const { options } of listed)
			for (const { kind, pattern, values } of options) {
				expect([pattern !== undefined, values !== undefined]).toEqual([kind === "text", kind === "one-of"]);
				if (pattern !== undefined) expect(() => new RegExp(pattern)).not.toThrow();
			}
		expect(listed.map(({ name }) => name)).toEqual(
			listed.map(({ name }) => name).sort((a, b) => a.localeCompare(b, "en")),
		);
	});
});
