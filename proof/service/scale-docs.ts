import { readFile, writeFile } from "node:fs/promises";
import { type Run, table, verdict } from "test-kit/results/recorded-run";
import { showCount } from "test-kit/results/show-count";
import type { CostsResult } from "./costs.ts";
import { readResult } from "./results.ts";
import type { TokenRate } from "./token-rate.ts";

const DOCUMENT = new URL("../../docs/scale.md", import.meta.url);

const rates = ({ rates: seen }: CostsResult): string =>
	table(
		["Request", "Per second", "Median, ms", "p99, ms"],
		seen.map(({ what, rate }) => [what, rate.perSecond, rate.medianMs, rate.p99Ms]),
	);

const DAY = 86_400;
const USERS = 100_000_000;
const CHECKS = 1_000;
/** Hours a day in which a user is active, and so renews tokens. */
const ACTIVE_HOURS = 8;

/** How many processes or threads the checks of many users take, in each way that was measured. */
const checks = ({ rates: seen, tokens }: CostsResult): string => {
	const perSecond = (USERS * CHECKS) / DAY;
	const ways: [string, number][] = seen
		.filter(({ what }) => what.startsWith("session checks"))
		.map(({ what, rate }) => [what, rate.perSecond]);
	if (tokens) ways.push(["tokens verified by the application, on one thread", tokens.perSecond]);
	return `${showCount(USERS)} users who are checked ${showCount(CHECKS)} times a day are ${showCount(Math.round(perSecond))} checks per second on average. At the measured rates:

${table(
	["Way", "Per second", "Processes"],
	ways.map(([what, rate]) => [what, rate, showCount(Math.ceil(perSecond / rate))]),
)}

${tokens ? renewals(tokens) : "How many tokens an application can verify is not recorded yet."}`;
};

const renewals = ({ lifetime, keyRequests }: TokenRate): string => {
	const each = (ACTIVE_HOURS * 3_600) / lifetime;
	return `With tokens that are valid for ${lifetime / 60} minutes, a user who is active for ${ACTIVE_HOURS} hours a day renews ${each} of them: ${showCount(Math.round((USERS * each) / DAY))} requests per second to the service. 100 verifications made ${keyRequests} request${keyRequests === 1 ? "" : "s"} for keys.`;
};

const sizes = ({ tables, users }: CostsResult): string => {
	const each = tables.map(({ table: name, rows, tableBytes, indexBytes }) => [
		name,
		showCount(rows),
		Math.round(tableBytes / rows),
		Math.round(indexBytes / rows),
	]);
	const ofPeople = tables.filter(({ table: name }) => name !== "tenant");
	const perUser = ofPeople.reduce((sum, { tableBytes, indexBytes }) => sum + tableBytes + indexBytes, 0) / users;
	return `${table(["Table", "Rows", "Bytes per row", "Index bytes per row"], each)}

A user with one account and two sessions takes ${showCount(Math.round(perUser))} bytes. 100 million users take ${showCount(Math.round((perUser * 1e8) / 1e9))} GB.`;
};

const unique = ({ unique: indexes }: CostsResult): string =>
	table(
		["Table", "Unique columns", "Includes the tenant"],
		indexes.map(({ table: name, columns, hasTenant }) => [name, columns.join(", "), hasTenant ? "yes" : "no"]),
	);

/** Composes docs/scale.md with the figures of the last recorded run between its markers. */
export const composeScaleDocs = async (): Promise<string> => {
	const run = await readResult<Run<CostsResult>>("costs");
	const document = await readFile(DOCUMENT, "utf8");
	if (!run) return document;
	const said: Record<string, string> = {
		rates: `${verdict({ ...run, lines: ["One process, the load and the database on one machine"] }, "pnpm --filter server e2e --part costs --full")}\n\n${rates(run.result)}`,
		checks: checks(run.result),
		sizes: sizes(run.result),
		unique: unique(run.result),
	};
	return document.replace(
		/(<!-- costs:(\w+) -->)[\s\S]*?(<!-- \/costs:\2 -->)/g,
		(_, open: string, name: string, close: string) => `${open}\n\n${said[name] ?? ""}\n\n${close}`,
	);
};

export const readScaleDocs = (): Promise<string> => readFile(DOCUMENT, "utf8");

export const writeScaleDocs = async (): Promise<void> => writeFile(DOCUMENT, await composeScaleDocs());

if (import.meta.main) await writeScaleDocs();
