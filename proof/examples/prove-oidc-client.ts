import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import type { Browser } from "playwright-core";
import { createDatabase } from "test-kit/run-database";
import { freePort } from "test-kit/servers/free-port";
import { runCommand, startService } from "test-kit/service/service";
import { configure, installedSize, npm, start } from "./application.ts";
import { travelByOidc } from "./oidc-journey.ts";
import { tryNeighbors } from "./oidc-neighbors.ts";
import type { Organization } from "./oidc-visitor.ts";
import type { Proved } from "./prove.ts";
import { timeSteps } from "./steps.ts";
import { fromPostgres } from "./stored-users.ts";

const MAIN = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));

type Given = { browser: Browser; parent: string; pictures: string | null };

/** Starts the built service with the example's configuration, and the example beside it. Uses both in the browser. */
export const proveOidcClient = async (name: string, { browser, parent, pictures }: Given): Promise<Proved> => {
	assert.ok(existsSync(MAIN), "Run `pnpm build` first.");
	const { steps, step } = timeSteps(name);
	const [database, servicePort, appPort] = [await createDatabase(), await freePort(), await freePort()];
	const [serviceUrl, app] = [`http://localhost:${servicePort}`, `http://localhost:${appPort}`];
	const key = randomBytes(32).toString("base64url");
	const folder = join(parent, "app");
	try {
		const isOwn = (path: string) => !/\/(node_modules|\.env|service\.env|organizations\.json)$/.test(path);
		await cp(join(EXAMPLES, name), folder, { recursive: true, filter: isOwn });
		await cp(join(folder, ".env.example"), join(folder, ".env"));
		await configure(folder, { APP_URL: app, AUTH_URL: serviceUrl, MANAGEMENT_KEY: key });
		await step("install", () => npm(folder, "install", "--prefer-offline", "--no-audit", "--no-fund"));
		const installMB = await installedSize(folder);
		await step("build", () => npm(folder, "run", "build"));

		const environment = {
			...(parseEnv(await readFile(join(folder, "service.env.example"), "utf8")) as Record<string, string>),
			AUTH_URL: serviceUrl,
			DATABASE_URL: database.url,
			AUTH_SECRET: randomBytes(32).toString("base64url"),
			MANAGEMENT_KEYS: key,
			NODE_OPTIONS: `--import ${join(folder, "src/local-names.ts")}`,
			// the run signs in more often than a user
			RATE_LIMIT: "false",
		};
		await step("migrate", () => runCommand({ main: MAIN, environment }, "migrate"));
		const service = await step("start the service", () => startService({ main: MAIN, environment }, servicePort));
		const logs = [service.lines];
		try {
			await step("seed", () => npm(folder, "run", "seed"));
			const organizationsFile = join(folder, "organizations.json");
			const seeded = await readFile(organizationsFile, "utf8");
			// a second time changes nothing
			await npm(folder, "run", "seed");
			assert.equal(await readFile(organizationsFile, "utf8"), seeded);
			const organizations = JSON.parse(seeded) as Organization[];

			/** Starts the application with what it knows about the organizations, and ends it after the work. */
			const withApplication = async <Result>(known: Organization[], work: () => Promise<Result>): Promise<Result> => {
				await writeFile(organizationsFile, JSON.stringify(known));
				const application = await start(folder, app);
				logs.push(() => application.lines);
				try {
					return await work();
				} finally {
					await application.end();
				}
			};
			if (pictures) await mkdir(pictures, { recursive: true });
			const tenantsOf = fromPostgres(database.query, { table: `"user"`, tenantColumn: `"tenantId"` });
			const checks = await step("use in Chromium", () =>
				withApplication(organizations, () => travelByOidc(browser, { app, organizations, tenantsOf, pictures })),
			);
			const refused = await step("try codes and tokens of the neighbor", () =>
				tryNeighbors(browser, { app, organizations, withApplication }),
			);
			return { steps, installMB, checks: [...checks, ...refused] };
		} catch (error) {
			for (const lines of logs) console.error(lines().join("\n"));
			throw error;
		} finally {
			await service.stop();
		}
	} finally {
		await database.drop();
	}
};
