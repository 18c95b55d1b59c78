import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isEngineFrom } from "test-kit/engine-version";
import { installScript } from "test-kit/install-script";
import { freePort } from "test-kit/servers/free-port";
import { afterAll, describe, expect, it } from "vitest";

const root = new URL("..", import.meta.url).pathname;
const readme = readFileSync(join(root, "README.md"), "utf8");

/** The code block after a quick-start mark in the README. */
const block = (mark: string): string => {
	const found = readme.match(new RegExp(`<!-- quick-start:${mark} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``));
	if (!found?.[1]) throw new Error(`README has no block "${mark}"`);
	return found[1];
};

const folder = mkdtempSync(join(tmpdir(), "quick-start-"));
let server: ChildProcess | undefined;
afterAll(() => {
	server?.kill();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs a block of the README in the folder, as if pasted into a shell. */
const shell = (script: string, env: Record<string, string> = {}): string =>
	execFileSync("bash", ["-e", "-c", script], {
		cwd: folder,
		encoding: "utf8",
		env: { ...process.env, NODE_ENV: "", ...env },
		stdio: ["ignore", "pipe", "pipe"],
	});

describe("the README's quick start", () => {
	// it installs the version that it names, so with another one it shows nothing
	it.runIf(isEngineFrom(22))(
		"works literally in an empty project, with the packed tarball",
		// ends what hangs; an install takes minutes on a busy machine
		{ timeout: 1_200_000 },
		async () => {
			execFileSync("pnpm", ["build"], { cwd: root, stdio: "ignore" });
			execFileSync("pnpm", ["pack", "--pack-destination", folder], { cwd: root, stdio: "ignore" });
			const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
			shell(await installScript(block("install"), tarball), {
				npm_config_fetch_retries: "5",
				npm_config_prefer_offline: "true",
			});
			const files = ["auth.js", "setup.js", "server.js"];
			// the README's port may be taken on this machine
			const port = String(await freePort());
			for (const file of files) writeFileSync(join(folder, file), block(file).replaceAll("3000", port));

			const [secret, setUp, serve] = block("run").trim().split("\n");
			expect(serve).toBe("node server.js");
			const BETTER_AUTH_SECRET = shell(`${secret}\necho $BETTER_AUTH_SECRET`).trim();
			const printed = shell(setUp ?? "", { BETTER_AUTH_SECRET });
			const [acme, globex] = ["acme", "globex"].map((slug) => printed.match(new RegExp(`${slug} (\\w+)`))?.[1]);
			expect(acme && globex).toBeTruthy();

			const started = spawn("node", ["server.js"], {
				cwd: folder,
				env: { ...process.env, NODE_ENV: "", BETTER_AUTH_SECRET },
			});
			server = started;
			await new Promise<void>((resolve, reject) => {
				let said = "";
				const hear = (chunk: Buffer) => {
					said += String(chunk);
					if (said.includes(`http://acme.localhost:${port}`)) resolve();
				};
				started.stdout?.on("data", hear);
				started.stderr?.on("data", hear);
				started.on("exit", () => reject(new Error(said)));
			});
			/** What the page's form sends. */
			const send = (tenant: string, action: string, password: string) =>
				JSON.parse(
					shell(`curl -s http://${tenant}.localhost:${port}/api/auth/${action}/email -H "content-type: application/json" \\
					-d '{"name":"Ada","email":"ada@example.com","password":"the ${password} password"}'`),
				);
			const users = [send("acme", "sign-up", "acme").user, send("globex", "sign-up", "globex").user];
			expect(users).toMatchObject([{ tenantId: acme }, { tenantId: globex }]);
			expect(users[0].id).not.toBe(users[1].id);
			expect(send("acme", "sign-in", "acme").user.id).toBe(users[0].id);
			expect(send("acme", "sign-in", "globex")).toMatchObject({ code: "INVALID_EMAIL_OR_PASSWORD" });
			expect(shell(`curl -s http://globex.localhost:${port}/`)).toContain("<form>");
		},
	);
});
