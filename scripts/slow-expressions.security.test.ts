import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { collectExpressions } from "./collect-expressions.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const script = join(root, "scripts/check-expressions.ts");

/** The linter's output for a file. */
const lint = (text: string) => {
	const folder = mkdtempSync(join(tmpdir(), "expressions-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, "planted.ts");
	writeFileSync(file, text);
	return check([file]);
};

const check = (files: string[]) => {
	const { status, stderr } = spawnSync(process.execPath, [script, ...files], { encoding: "utf8" });
	return { status, problems: stderr.split("\n").filter((line) => files.some((file) => line.startsWith(file))) };
};

// threat 79
it("fails on expressions that take quadratic or exponential time or cannot be checked", () => {
	const { status, problems } = lint(
		[
			"const MARK = 'x';",
			"/session_token=[^;]*?(?:~|%7E)([A-Za-z0-9_-]{1,120})(?:\\.|%2E|;|$)/i;",
			"/=+$/;",
			"/^(a+)+$/;",
			`new RegExp(['^ok$', \`\${MARK}+$\`].join('|'), 'g');`,
			"RegExp(process.argv[2]);",
		].join("\n"),
	);
	expect(status).toBe(1);
	expect(problems.map((line) => line.split(":")[1])).toEqual(["6", "2", "3", "4", "5"]);
	expect(problems[1]).toContain("2nd degree polynomial");
	expect(problems[3]).toContain("exponential");
});

// threat 79
it("finds none in the code that reads a request before any limit", () => {
	const named = [
		...["pin/tag", "sessions/session-credential"].map((name) => `scope/${name}`),
		...["tagged-input", "decide", "predict-tenant", "safe-bodies", "safe-redirects"].map(
			(name) => `scope/request/${name}`,
		),
		"plugin/on-request",
	];
	const files = [
		...named.map((name) => `packages/tenants/src/${name}.ts`),
		...globSync("packages/tenants/src/{lib,engine,endpoints,resolve}/**/*.ts", { cwd: root }),
	];
	expect(check(files)).toEqual({ status: 0, problems: [] });
});

it("passes expressions that take linear time", () => {
	const linear = [
		"/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;",
		"/[A-Za-z0-9_.-]+/g;",
		"new RegExp('^/(ok|error)$');",
		"/a?b/;",
	];
	expect(lint(linear.join("\n"))).toEqual({ status: 0, problems: [] });
});

it("reads literals and expressions built from constants of the same file", () => {
	const text = `const A = 'a';\nconst B = \`\${A}b\`;\nfoo(/x/gi, new RegExp([B, 'c'].join('|'), 'u'));\nnew RegExp(given);`;
	expect(collectExpressions("a.ts", text)).toEqual({
		expressions: [
			{ file: "a.ts", line: 3, source: "x", flags: "gi" },
			{ file: "a.ts", line: 3, source: "ab|c", flags: "u" },
		],
		unreadable: [{ file: "a.ts", line: 4, text: "new RegExp(given)" }],
	});
});
