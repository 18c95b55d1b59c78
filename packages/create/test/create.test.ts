import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPLATES } from "../src/templates.ts";
import { usePacked } from "./packed.ts";

const { create, emptyFolder, main, tarball } = usePacked();
const NAMES = TEMPLATES.map(({ name }) => name);

const manifestOf = (folder: string) =>
	JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
		name: string;
		scripts: Record<string, string>;
		dependencies: Record<string, string>;
	};

/** The values of `.env`, by name. */
const readEnv = (folder: string, file = ".env") =>
	new Map(
		readFileSync(join(folder, file), "utf8")
			.split("\n")
			.filter((line) => line !== "" && !line.startsWith("#"))
			.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const),
	);

describe("create", () => {
	it.each(NAMES)("scaffolds %s with its own name and fresh secrets", (template) => {
		const folder = emptyFolder();
		const { status, stdout, stderr } = create(folder, "one", "--template", template);
		expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
		expect(create(folder, "two", "--template", template).status).toBe(0);
		const [one, two] = [join(folder, "one"), join(folder, "two")];
		expect(manifestOf(one).name).toBe("one");
		expect(readFileSync(join(one, ".gitignore"), "utf8")).toMatch(/^\.env$/m);
		expect(existsSync(join(one, "_gitignore"))).toBe(false);
		expect(statSync(join(one, ".env")).mode & 0o077).toBe(0);

		const example = readEnv(one, ".env.example");
		const [first, second] = [readEnv(one), readEnv(two)];
		const secrets = [...example].filter(([name, value]) => /(SECRET|KEY)$/.test(name) && value === "");
		expect(secrets.length).toBeGreaterThan(0);
		for (const [name] of secrets) {
			expect(first.get(name)?.length).toBeGreaterThanOrEqual(43);
			expect(first.get(name)).not.toBe(second.get(name));
		}
		// everything has a value, so the application starts
		expect([...first].filter(([, value]) => value === "")).toEqual([]);

		// the steps that are printed exist, and the README does not tell to overwrite the secrets
		for (const [, script = ""] of stdout.matchAll(/^ {2}npm run (\S+)$/gm))
			expect(manifestOf(one).scripts).toHaveProperty([script]);
		expect(readFileSync(join(one, "README.md"), "utf8")).not.toContain("cp .env.example");
	});

	it.each(["../escaped", "/tmp/escaped", "..", ".", "a/b", "a\\b", "", "Upper", "-x", "a b"])(
		"refuses the name %j and writes nothing",
		(name) => {
			const parent = emptyFolder();
			const folder = join(parent, "here");
			mkdirSync(folder);
			// `--`, so that a name with a dash is not an option
			const { status, stderr } = create(folder, "--template", "hono-react", "--", name);
			expect(status).toBe(1);
			expect(stderr).toContain("cannot be the name of a project");
			expect(readdirSync(folder)).toEqual([]);
			expect(readdirSync(parent)).toEqual(["here"]);
		},
	);

	it("leaves a folder that is not empty as it is", () => {
		const folder = emptyFolder();
		mkdirSync(join(folder, "mine"));
		writeFileSync(join(folder, "mine/package.json"), "{}");
		const { status, stderr } = create(folder, "mine", "--template", "hono-react");
		expect(status).toBe(1);
		expect(stderr).toContain("is not empty. Choose another name.");
		expect(readdirSync(join(folder, "mine"))).toEqual(["package.json"]);
		expect(readFileSync(join(folder, "mine/package.json"), "utf8")).toBe("{}");
	});

	it("uses an empty folder, and follows no link out of the current one", () => {
		const folder = emptyFolder();
		mkdirSync(join(folder, "empty"));
		expect(create(folder, "empty", "--template", "hono-react").status).toBe(0);
		const elsewhere = emptyFolder();
		symlinkSync(elsewhere, join(folder, "link"));
		const { status, stderr } = create(folder, "link", "--template", "hono-react");
		expect(status).toBe(1);
		expect(stderr).toContain("is not a folder");
		expect(readdirSync(elsewhere)).toEqual([]);
	});

	it("explains itself, and lists every template", () => {
		for (const option of ["--help", "-h"]) {
			const { status, stdout } = create(emptyFolder(), option);
			expect(status).toBe(0);
			for (const { name, title } of TEMPLATES) expect(stdout).toMatch(new RegExp(`${name} +${title}`));
			expect(stdout).toContain("npm create better-auth-tenants@latest [name] -- [--template <template>]");
		}
	});

	it("refuses unknown templates and options, and names what it knows", () => {
		const folder = emptyFolder();
		const unknown = create(folder, "app", "--template", "../hono-react");
		expect([unknown.status, unknown.stderr]).toEqual([
			1,
			`There is no template ../hono-react. Use one of ${NAMES.join(", ")}.\n`,
		]);
		expect(create(folder, "app", "--nope").status).toBe(1);
		expect(create(folder, "app", "other", "--template", "hono-react").status).toBe(1);
		expect(readdirSync(folder)).toEqual([]);
	});

	it("does not wait for an answer where nobody can give one", () => {
		const folder = emptyFolder();
		const { status, stderr } = create(folder);
		expect(status).toBe(1);
		expect(stderr).toContain("Give a name and --template.");
		expect(readdirSync(folder)).toEqual([]);
	});

	it("asks for name and template in a terminal, again after a bad answer", async () => {
		const folder = emptyFolder();
		const terminal = spawn("script", ["--quiet", "--return", "--command", `node ${main()}`, "/dev/null"], {
			cwd: folder,
		});
		const ended = once(terminal, "close");
		let shown = "";
		const answers = ["../up", "my-shop", "99", "hono-react"];
		terminal.stdout.setEncoding("utf8").on("data", (chunk: string) => {
			shown += chunk;
			// an answer for each question, when it is asked
			if (/\((my-app|1)\): /.test(chunk)) terminal.stdin.write(`${answers.shift()}\n`);
		});
		expect(await ended).toEqual([0, null]);
		expect(shown).toContain("cannot be the name of a project");
		expect(shown).toContain(`Enter a number from 1 to ${TEMPLATES.length}, or a name.`);
		expect(readdirSync(folder)).toEqual(["my-shop"]);
		expect(manifestOf(join(folder, "my-shop")).name).toBe("my-shop");
	});
});

describe("the packed tarball", () => {
	it("contains the program, the tracked files of the templates, and nothing else", () => {
		const packed = execFileSync("tar", ["tzf", tarball()], { encoding: "utf8" }).trim().split("\n");
		const tracked = NAMES.flatMap((name) =>
			execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "."], {
				cwd: join(import.meta.dirname, "../../../examples", name),
				encoding: "utf8",
			})
				.trim()
				.split("\n")
				.map((file) => `package/dist/templates/${name}/${file === ".gitignore" ? "_gitignore" : file}`),
		);
		const own = ["package.json", "README.md", "LICENSE", "dist/main.js"].map((file) => `package/${file}`);
		expect(packed.filter((file) => !file.endsWith("/CHANGELOG.md")).sort()).toEqual([...own, ...tracked].sort());
		expect(packed.filter((file) => /node_modules|\/\.env$|\.db$|package-lock/.test(file))).toEqual([]);
	});

	it("needs no other package", () => {
		const { dependencies } = JSON.parse(
			execFileSync("tar", ["xzf", tarball(), "-O", "package/package.json"], { encoding: "utf8" }),
		) as { dependencies?: object };
		expect(dependencies).toBeUndefined();
	});
});
