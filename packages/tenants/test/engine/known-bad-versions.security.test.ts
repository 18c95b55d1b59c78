import { readFileSync } from "node:fs";
import { scim } from "@better-auth/scim";
import { sso } from "@better-auth/sso";
import { type BetterAuthPlugin, betterAuth } from "better-auth";
import { ORIGIN } from "test-kit/world";
import { describe, expect, it } from "vitest";
import { KNOWN_BAD_VERSIONS, type KnownBad } from "../../src/engine/known-bad-versions.ts";
import { tenantAuth, withTenants } from "../../src/index.ts";

const start = async (plugins: BetterAuthPlugin[]): Promise<string> => {
	try {
		const secret = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";
		await betterAuth({ baseURL: ORIGIN, secret, logger: { disabled: true }, plugins }).$context;
		return "started";
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
};

const directory = scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } });

/** Starts with this version of the package: as a plugin that reports it, or as the engine. */
const startWith = ({ plugin }: KnownBad, version: unknown): Promise<string> => {
	// this package also requires the tables of scim()
	const schema = plugin === "scim" ? { schema: directory.schema } : {};
	if (plugin) return start(withTenants({}, [{ id: plugin, version, ...schema } as BetterAuthPlugin]));
	const tenants = tenantAuth();
	const init: typeof tenants.init = (context) => tenants.init({ ...context, version: version as string });
	return start([{ ...tenants, init }]);
};

/** The previous release and the next one. */
const beside = (version: string): [string, string] => {
	const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
	return [patch > 0 ? `${major}.${minor}.${patch - 1}` : `${major}.${minor - 1}.99`, `${major}.${minor}.${patch + 1}`];
};

const PACKAGES = [...new Map(KNOWN_BAD_VERSIONS.map((row) => [row.package, row])).values()];

describe.each(PACKAGES)("$package below $fixedIn", (row) => {
	const [before, after] = beside(row.fixedIn);

	// threats 67 and 77
	it("prevents startup, and the error names version, advisory and fix", async () => {
		const bad = ["0.1.0", "1.6.99", before, `${row.fixedIn}-beta.1`, `${row.fixedIn}-rc.10`, `${before}+build.7`];
		for (const version of bad) {
			const complaint = await startWith(row, version);
			for (const said of [version, ...row.advisories, `Install ${row.package}@^${row.fixedIn}`])
				expect([version, complaint]).toEqual([version, expect.stringContaining(said)]);
		}
	});

	// threats 67 and 77
	it("is assumed if no readable version is reported", async () => {
		for (const version of [undefined, null, "", "latest", "1.7", "v1.7.99", "1.7.x", 17, "99"])
			expect([version, await startWith(row, version)]).toEqual([
				version,
				expect.stringMatching(/reports no version.*is refused below .* Install /),
			]);
	});

	it("starts with the fixed version", async () => {
		for (const version of [row.fixedIn, `${row.fixedIn}+build.7`, after, "1.7.99"])
			expect([version, await startWith(row, version)]).toEqual([version, "started"]);
	});
});

// threat 77
it("rejects Expo's plugin below 1.7.16 after tenantAuth() too, and says to rotate the secret", async () => {
	const expo = (version: string) => [tenantAuth(), { id: "expo", version }];
	for (const version of ["1.6.33", "1.7.6", "1.7.15"])
		expect(await start(expo(version))).toMatch(
			/@better-auth\/expo [\d.]+ is refused \(CVE-2026-121802\).*Install @better-auth\/expo@\^1\.7\.16\. Then rotate the secret/s,
		);
	expect(await start(expo("1.7.16"))).toBe("started");
});

// threat 77
it("checks a second plugin of the same name as well", async () => {
	const plugins = ["1.7.16", "1.7.15"].map((version) => ({ id: "expo", version }));
	expect(await start([tenantAuth(), ...plugins])).toContain("@better-auth/expo 1.7.15 is refused");
});

it("composed plugins report their version, as Better Auth's packages do", async () => {
	const plugin = sso();
	expect(plugin.version).toMatch(/^1\.7\.\d+$/);
	const composed = withTenants({}, [{ ...plugin, version: "1.7.2" }]);
	expect(await start(composed)).toContain("@better-auth/sso 1.7.2 is refused (CVE-2026-110863)");
	expect(await start(withTenants({}, [plugin]))).toBe("started");
});

it("docs/plugins.md lists every row", () => {
	const page = readFileSync(new URL("../../../../docs/plugins.md", import.meta.url), "utf8");
	const cells = page.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
	for (const { package: name, fixedIn, advisories } of KNOWN_BAD_VERSIONS)
		expect(cells).toContainEqual(["", name, fixedIn, advisories.join(" "), expect.any(String), ""]);
});
