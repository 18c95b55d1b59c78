import { globSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { createDatabase } from "test-kit/run-database";
import { freePort } from "test-kit/servers/free-port";
import { configure, installedSize, npm, start } from "./application.ts";
import type { Example } from "./examples.ts";
import { travel } from "./journey.ts";
import { visitNobody } from "./nobody.ts";
import { createApplication, type Packages } from "./packages.ts";
import { type Step, timeSteps } from "./steps.ts";
import { fromPostgres, fromSqlite } from "./stored-users.ts";

export type Proved = { steps: Step[]; installMB: number; checks: string[] };
type Given = { packages: Packages; browser: Browser; parent: string; pictures: string | null };

/** Creates, installs, builds and starts an example, and uses it in the browser. */
export const prove = async (example: Example, { packages, browser, parent, pictures }: Given): Promise<Proved> => {
	const { steps, step } = timeSteps(example.name);
	const port = await freePort();
	const at = (host: string) => `http://${host}:${port}`;
	const hosts = { acme: at("acme.localhost"), globex: at("globex.localhost") };
	const database = example.database === "PostgreSQL" ? await createDatabase() : null;
	try {
		const folder = await step("create", () => createApplication(packages, example.name, parent));
		await configure(folder, {
			BASE_URL: at("localhost"),
			PORT: String(port),
			...(database ? { DATABASE_URL: database.url } : {}),
		});
		await step("install", () => npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund"));
		const installMB = await installedSize(folder);
		await step("seed", () => npm(folder, "run", "seed"));
		// a second time changes nothing
		await npm(folder, "run", "seed");
		if (example.build) await step("build", () => npm(folder, "run", "build"));
		const server = await step("start", () => start(folder, at("localhost"), example.startArguments?.(port)));
		try {
			const tenantsOf = database
				? fromPostgres(database.query, example.userTable)
				: fromSqlite(async () => sqliteFile(folder), example.userTable);
			if (pictures) await mkdir(pictures, { recursive: true });
			const given = { tenantsOf, pictures };
			const { checks } = await step("use in Chromium", () =>
				travel(browser, { platform: at("localhost"), ...hosts }, { who: "first", ...given }),
			);
			if (example.domains) {
				const { acme, globex } = example.domains;
				const domains = { platform: at("localhost"), acme: at(acme), globex: at(globex) };
				await step("use on custom domains", () => travel(browser, domains, { who: "second", ...given }));
				checks.push(`the same on ${acme} and ${globex}`);
			}
			await visitNobody(browser, at("nobody.localhost"), pictures);
			checks.push("a host of nobody is a 404, and its pages say so");
			return { steps, installMB, checks };
		} catch (error) {
			console.error(server.lines.join("\n"));
			throw error;
		} finally {
			await server.end();
		}
	} finally {
		await database?.drop();
	}
};

/** The application's database file. D1 keeps its own below `.wrangler`. */
const sqliteFile = (folder: string): string => {
	const [file] = globSync(["*.db", ".wrangler/state/**/d1/**/*.sqlite"], { cwd: folder }).filter(
		(name) => !name.includes("metadata"),
	);
	if (!file) throw new Error(`There is no database in ${folder}.`);
	return join(folder, file);
};
