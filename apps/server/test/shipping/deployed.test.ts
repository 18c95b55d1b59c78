// cspell:ignore Hallo Welt
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Version } from "@cyclonedx/cyclonedx-library/Spec";
import { JsonStrictValidator } from "@cyclonedx/cyclonedx-library/Validation";
import { expect, it, onTestFinished } from "vitest";

const execute = promisify(execFile);
const PUT_TOGETHER = fileURLToPath(new URL("../../scripts/put-together.sh", import.meta.url));

it("assembles the contents of the image, and runs its commands from there", { timeout: 180_000 }, async () => {
	const folder = await mkdtemp(join(tmpdir(), "shipping-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true }));
	// like the Dockerfile
	await execute(PUT_TOGETHER, [join(folder, "made")], {
		env: { ...process.env, CI: "true", pnpm_config_pm_on_fail: "ignore", pnpm_config_prefer_offline: "true" },
	});
	// elsewhere, as in the image, so no link leads back
	await cp(join(folder, "made"), join(folder, "service"), { recursive: true, verbatimSymlinks: true });
	await rm(join(folder, "made"), { recursive: true });
	await expectContents(join(folder, "service"));
	const run = (...args: string[]) =>
		execute(process.execPath, ["dist/main.js", ...args], { cwd: join(folder, "service", "apps", "server"), env: {} });
	expect((await run("--help")).stdout).toContain("serve");
	// loaded with the first mail only
	const dist = join(folder, "service", "apps", "server", "dist");
	const [template = ""] = (await readdir(dist)).filter((name) => /^compose-.*\.js$/.test(name));
	const letter = {
		locale: "de",
		title: "Acme",
		subject: "Hallo",
		opening: "Hallo Welt.",
		code: "123456",
		closing: "Bis bald.",
	};
	const script = `const { compose } = await import("./${template}");
		process.stdout.write((await compose(${JSON.stringify(letter)})).text);`;
	const composed = await execute(process.execPath, ["--input-type=module", "--eval", script], { cwd: dist, env: {} });
	expect(composed).toEqual({ stdout: "Hallo Welt.\n\n123456\n\nBis bald.\n", stderr: "" });
	const reached = "postgres://nobody@127.0.0.1:1/none";
	const failed = await execute(process.execPath, ["dist/main.js", "serve"], {
		cwd: join(folder, "service", "apps", "server"),
		env: {
			AUTH_URL: "http://127.0.0.1:3000",
			AUTH_SECRET: "x".repeat(32),
			DATABASE_URL: reached,
			REQUIRE_EMAIL_VERIFICATION: "false",
			PORT: "0",
		},
	}).catch((error: { stderr: string; stdout: string }) => error);
	// everything loads, and only the database is missing
	expect(failed.stderr).toMatch(/database|PostgreSQL/i);
	expect(failed.stderr).not.toContain("Cannot find");
});

/** What it weighs, what it runs on, and what its SBOM says. */
const expectContents = async (service: string): Promise<void> => {
	const { stdout } = await execute("du", ["--summarize", "--bytes", service]);
	expect(Number.parseInt(stdout, 10)).toBeLessThan(80_000_000);
	const installed = await readdir(join(service, "node_modules/.pnpm"));
	const native = installed.filter((name) => name.startsWith("@node-rs+bcrypt-")).map((name) => name.split("@")[1]);
	expect(native).toEqual(
		["arm64-gnu", "arm64-musl", "x64-gnu", "x64-musl"].map((platform) => `node-rs+bcrypt-linux-${platform}`),
	);
	const sbom = await readFile(join(service, "sbom.cdx.json"), "utf8");
	expect(await new JsonStrictValidator(Version.v1dot6).validate(sbom)).toBeNull();
	const { components } = JSON.parse(sbom) as {
		components: Record<"name" | "purl" | "licenses" | "properties", unknown>[];
	};
	const found = (name: string) => components.filter(({ purl }) => String(purl).startsWith(`pkg:npm/${name}@`));
	expect(found("better-auth")).toEqual([expect.objectContaining({ properties: [expect.anything()] })]);
	expect(found("pg").map(({ properties }) => properties)).toEqual([undefined]);
	for (const { name, licenses } of components) expect(licenses, String(name)).toBeDefined();
};
