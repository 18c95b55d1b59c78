import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import { createProgram } from "../../apps/server/src/command-line/program.ts";
import { VARIABLES } from "../../apps/server/src/config/config.ts";
import { TENANT_ADMIN_ERROR_CODES } from "../../packages/tenants/src/admin.ts";
import * as main from "../../packages/tenants/src/index.ts";
import { LIFECYCLE_ERROR_CODES } from "../../packages/tenants/src/lifecycle.ts";
import { POLICY_ERROR_CODES } from "../../packages/tenants/src/policy.ts";
import { ROW_ERROR_CODES } from "../../packages/tenants/src/rows.ts";
import { TOKEN_ERROR_CODES } from "../../packages/tenants/src/tokens.ts";
import { docsOf, exportsOf, openTexts, publishedEntries, readSource } from "../public-docs.ts";
import { SERVICE_HELP } from "./error-code-help.ts";
import { allMetrics } from "./metrics-page.ts";
import { renderReference } from "./pages.ts";
import { documentedPlugins } from "./plugins.ts";
import { filesBelow, PACKAGE, ROOT } from "./program.ts";
import { anchorsOf, firstCells, readPage, sectionsBelow, sectionsOf } from "./read-pages.ts";
import { STARTUP_HELP } from "./startup-error-help.ts";
import { packageMessages, serviceMessages } from "./startup-messages.ts";

const FOLDER = join(ROOT, "docs/reference");
const pages = readdirSync(FOLDER).filter((file) => file.endsWith(".md"));
const names = (page: string, level: number): string[] =>
	sectionsOf(readPage(page))
		.filter((one) => one.level === level)
		.map(({ name }) => name);
const sorted = (values: Iterable<string>): string[] => [...new Set(values)].toSorted();

describe("the reference", () => {
	let rendered: Map<string, string>;
	beforeAll(async () => {
		rendered = await renderReference();
	}, 300_000);

	it("is what `pnpm docs:reference` writes", () => {
		const differing = [...rendered].filter(([file, text]) => {
			// prom-client has other metrics on other systems
			if (file.endsWith("metrics.md") && process.platform !== "linux") return false;
			return !existsSync(join(ROOT, "docs", file)) || readFileSync(join(ROOT, "docs", file), "utf8") !== text;
		});
		expect(differing.map(([file]) => file)).toEqual([]);
	});

	it("has no page that is not generated", () => {
		expect(sorted(pages.map((file) => `reference/${file}`))).toEqual(
			sorted([...rendered.keys()].filter((file) => file.startsWith("reference/"))),
		);
	});

	it.each(pages)("has only links to existing places in %s", (file) => {
		const links = [...readPage(file).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)].map(
			([, link, picture]) => link ?? picture ?? "",
		);
		const broken = links.filter((link) => {
			if (/^https?:/.test(link)) return false;
			const [path = "", anchor] = link.split("#");
			if (path && !existsSync(join(FOLDER, path))) return true;
			if (anchor === undefined) return false;
			return !anchorsOf(path ? readFileSync(join(FOLDER, path), "utf8") : readPage(file)).has(anchor);
		});
		expect(broken).toEqual([]);
	});

	it.each(pages)("has every heading once in %s", (file) => {
		const all = sectionsOf(readPage(file)).map(({ name }) => name);
		expect(all.filter((name, index) => all.indexOf(name) !== index)).toEqual([]);
	});
});

describe("options.md and the pages of other functions", () => {
	/** The members of all types of options in the package that have a documented default. */
	const members = new Set<string>();
	const documented = new Set<string>();
	beforeAll(() => {
		for (const file of filesBelow(PACKAGE))
			for (const statement of file.statements) {
				if (!ts.isTypeAliasDeclaration(statement)) continue;
				statement.forEachChild(function visit(node): void {
					if (ts.isPropertySignature(node)) {
						members.add(node.name.getText());
						if (docsOf(node).fallback !== null) documented.add(node.name.getText());
					}
					node.forEachChild(visit);
				});
			}
	}, 300_000);
	const shown = (): string[] =>
		[
			...names("options.md", 3),
			...pages.filter((page) => page.startsWith("options-")).flatMap((page) => names(page, 2)),
		]
			.filter((name) => !name.startsWith("Options that"))
			.map((name) => name.split(".").at(-1) ?? "");

	it("has every option with a default", () => {
		expect(documented.size).toBeGreaterThan(50);
		expect([...documented].filter((name) => !shown().includes(name))).toEqual([]);
	});

	it("has no option that is gone", () => {
		expect(shown().filter((name) => !members.has(name))).toEqual([]);
	});
});

describe("exports.md", () => {
	const open = openTexts(readSource);

	it.each(publishedEntries())("has exactly the exports of $name", async ({ name, file }) => {
		const shown = sectionsBelow(readPage("exports.md"), name).map((one) => one.name.split(" of ")[0] ?? "");
		expect(sorted(shown)).toEqual(sorted(exportsOf(open, file).map((one) => one.name)));
		const values = Object.keys(await import(join(PACKAGE, file)));
		expect(values.filter((value) => !shown.includes(value))).toEqual([]);
	});

	it("has exactly the published entries", () => {
		expect(sorted(names("exports.md", 2))).toEqual(sorted(publishedEntries().map(({ name }) => name)));
	});
});

describe("endpoints.md", () => {
	it("has exactly the endpoints of all plugins, each with its name in auth.api", () => {
		type Live = { path?: string; options: { method: string | string[] } };
		const plugins = documentedPlugins();
		const endpoints = plugins.flatMap(({ plugin }) =>
			Object.entries(plugin.endpoints as unknown as Record<string, Live>),
		);
		const titles = endpoints.map(([name, { path, options }]) =>
			path ? `${[options.method].flat().join(" or ")} ${path}` : `auth.api.${name}`,
		);
		expect(sorted(names("endpoints.md", 3))).toEqual(sorted(titles));
		for (const [name] of endpoints) expect(readPage("endpoints.md")).toContain(`\`auth.api.${name}()\``);
	});

	it("says of every endpoint who may call it, and what it returns", () => {
		for (const { level, name, text } of sectionsOf(readPage("endpoints.md")).filter((one) => one.level === 3)) {
			expect([level, name, /^- Callers: /m.test(text)]).toEqual([3, name, true]);
			expect([name, /^Response \d{3}: /m.test(text)]).toEqual([name, true]);
			expect([name, /^(Errors|Also): /m.test(text)]).toEqual([name, true]);
		}
	});
});

describe("documentedPlugins", () => {
	it("has every plugin that an entry of the package exports", async () => {
		const modules = await Promise.all(
			publishedEntries().map(async ({ file }): Promise<object> => import(join(PACKAGE, file))),
		);
		const exported = new Set(modules.flatMap((module) => Object.keys(module)));
		const companions = filesBelow(PACKAGE)
			.filter((file) => /\bsatisfies BetterAuthPlugin\b/.test(file.text))
			.flatMap((file) => [...file.text.matchAll(/^export const (tenant\w+) = /gm)].map(([, name = ""]) => name))
			.filter((name) => exported.has(name));
		expect(sorted(documentedPlugins().map(({ name }) => name))).toEqual(sorted(companions));
	}, 300_000);
});

describe("error-codes.md", () => {
	it("has exactly the codes of the package and of the service, each with a cause and a fix", () => {
		const tables = {
			...main,
			LIFECYCLE_ERROR_CODES,
			POLICY_ERROR_CODES,
			ROW_ERROR_CODES,
			TENANT_ADMIN_ERROR_CODES,
			TOKEN_ERROR_CODES,
		};
		const expected = Object.entries(tables)
			.filter(([name]) => name.endsWith("_ERROR_CODES") || name === "MOVE_COLLISIONS")
			.flatMap(([, codes]) => Object.keys(codes));
		const sections = sectionsOf(readPage("error-codes.md")).filter((one) => one.level === 3);
		const shown = sections.map(({ name }) => name.split(" of ")[0] ?? "");
		expect(sorted(shown)).toEqual(sorted([...expected, ...Object.keys(SERVICE_HELP)]));
		expect(shown).toHaveLength(expected.length + Object.keys(SERVICE_HELP).length);
		for (const { name, text } of sections)
			expect([name, /^Status .*^Cause: .*^Fix: /ms.test(text)]).toEqual([name, true]);
	});
});

describe("startup-errors.md", () => {
	const page = readPage("startup-errors.md").replaceAll(/\s+/g, " ");

	it("has every message of the package", () => {
		const messages = packageMessages();
		expect(messages.length).toBeGreaterThan(60);
		const missing = messages.filter(({ text }) => !page.includes(text.replaceAll(/\s+/g, " ")));
		expect(missing).toEqual([]);
	}, 300_000);

	it("has every message of the service", () => {
		const messages = serviceMessages();
		expect(messages.length).toBeGreaterThan(60);
		// the page has the problem and the fix in two cells
		const plain = (text: string): string => text.replaceAll(/[`|]/g, "").replaceAll(/\s+/g, " ");
		expect(messages.filter(({ text }) => !plain(page).includes(plain(text)))).toEqual([]);
	}, 300_000);

	it("explains no message that is gone", () => {
		const texts = packageMessages().map(({ text }) => text);
		expect(Object.keys(STARTUP_HELP).filter((begin) => !texts.some((text) => text.startsWith(begin)))).toEqual([]);
	}, 300_000);
});

describe("tables.md", () => {
	it("has exactly the tables and columns of all plugins", () => {
		const schemas = documentedPlugins().map(
			({ plugin }) => (plugin.schema ?? {}) as Record<string, { fields: object }>,
		);
		expect(sorted(names("tables.md", 2))).toEqual(sorted(schemas.flatMap((schema) => Object.keys(schema))));
		for (const { name, text } of sectionsOf(readPage("tables.md")).filter((one) => one.level === 2)) {
			const [columns = ""] = text.split("Indexes:");
			const shown = firstCells(columns).filter((column) => column !== "id");
			expect([name, sorted(shown)]).toEqual([
				name,
				sorted(schemas.flatMap((schema) => Object.keys(schema[name]?.fields ?? {}))),
			]);
		}
	});
});

describe("environment-variables.md", () => {
	it("has exactly the variables of the service", () => {
		const shown = firstCells(readPage("environment-variables.md")).filter((name) => !name.startsWith("SOCIAL_"));
		expect(sorted(shown)).toEqual(sorted(Object.keys(VARIABLES)));
	});
});

describe("cli.md", () => {
	type Command = ReturnType<typeof createProgram>;
	const walk = (command: Command, above = ""): { name: string; command: Command }[] => {
		const name = `${above}${command.name()}`;
		return [{ name, command }, ...command.commands.flatMap((inner) => walk(inner, `${name} `))];
	};

	it("has exactly the commands, each with its arguments and options", () => {
		const commands = walk(createProgram());
		const sections = sectionsOf(readPage("cli.md")).filter(({ name }) => /^tenants\b/.test(name));
		expect(sorted(sections.map(({ name }) => name))).toEqual(sorted(commands.map(({ name }) => name)));
		for (const { name, command } of commands) {
			const shown = firstCells(sections.find((one) => one.name === name)?.text ?? "");
			const expected = [
				...command.registeredArguments.map((argument) => argument.name()),
				...command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags),
			];
			expect([name, sorted(shown)]).toEqual([name, sorted(expected)]);
		}
	});
});

describe("metrics.md", () => {
	it("has every metric of the registry, and no other", () => {
		const own = (all: string[]): string[] => sorted(all.filter((name) => !/^(nodejs|process)_/.test(name)));
		expect(own(firstCells(readPage("metrics.md")))).toEqual(own(allMetrics().map(({ name }) => name)));
	});
});
