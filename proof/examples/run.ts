import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startLocalChromium } from "test-kit/chromium/start";
import { resultsIn } from "test-kit/results/results-in";
import { buildExample } from "./build.ts";
import { EXAMPLES, LISTED, OIDC_CLIENT, SHORT } from "./examples.ts";
import { packPackages } from "./packages.ts";
import { prove } from "./prove.ts";
import { proveOidcClient } from "./prove-oidc-client.ts";
import { writeTable } from "./write-docs.ts";

const HELP = `Creates, installs, builds, starts and uses the examples, with the packed packages. Needs \`pnpm build\`.

  pnpm examples                  all of them
  pnpm examples hono-react       some of them: ${LISTED.map(({ name }) => name).join(", ")}
  pnpm examples --short          as CI does: uses ${SHORT.join(" and ")}, and builds the others
  pnpm examples --build          only creates, installs and builds for production: all of them, or those named
  pnpm examples --record         keeps the results, and writes the table of examples/README.md
  pnpm examples --pictures DIR   takes pictures of the pages, in light and dark`;

const { values, positionals: asked } = parseArgs({
	allowPositionals: true,
	options: {
		short: { type: "boolean" },
		build: { type: "boolean" },
		record: { type: "boolean" },
		pictures: { type: "string" },
		help: { type: "boolean" },
	},
});
const unknown = asked.filter((name) => !LISTED.some((example) => example.name === name));
if (values.help || unknown.length > 0) {
	console.log(unknown.length > 0 ? `There is no example ${unknown.join(", ")}.\n\n${HELP}` : HELP);
	process.exit(unknown.length > 0 ? 2 : 0);
}

const folder = await mkdtemp(join(tmpdir(), "examples-"));
const browser = values.build ? null : await startLocalChromium(["MAP *.test 127.0.0.1"]);
const failed: string[] = [];
try {
	await mkdir(join(folder, "packages"));
	const packages = await packPackages(join(folder, "packages"));
	for (const { name } of LISTED.filter((listed) => asked.length === 0 || asked.includes(listed.name))) {
		const parent = join(folder, name);
		await mkdir(parent);
		const example = EXAMPLES.find((one) => one.name === name);
		try {
			if (!browser || (values.short && !SHORT.includes(name))) {
				await buildExample(name, packages, parent);
				continue;
			}
			const given = { browser, parent, pictures: values.pictures ? join(values.pictures, name) : null };
			const proved = await (example
				? prove(example, { packages, ...given })
				: proveOidcClient(OIDC_CLIENT.name, given));
			for (const check of proved.checks) console.log(`           ${check}`);
			if (values.record) await resultsIn(new URL("./results/", import.meta.url)).write(name, proved);
		} catch (error) {
			failed.push(name);
			console.error(`${name}: FAILED`, error);
		} finally {
			await rm(parent, { recursive: true, force: true });
		}
	}
	if (values.record) await writeTable();
} finally {
	await browser?.close();
	await rm(folder, { recursive: true, force: true });
}
if (failed.length > 0) {
	console.error(`Failed: ${failed.join(", ")}`);
	process.exitCode = 1;
}
