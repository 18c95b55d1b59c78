// cspell:ignore Hallo Welt
import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
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
