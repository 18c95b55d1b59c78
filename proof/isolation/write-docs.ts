import { readFile, writeFile } from "node:fs/promises";
import { writeInput, writeModel, writeMutants, writeTiming } from "./documents/attacks.ts";
import { writeDeletion, writeKills, writePostgresRestarts, writeRedisFaults } from "./documents/faults.ts";
import { writeMutation } from "./documents/mutation.ts";
import { writeRights } from "./documents/rights.ts";
import { writeRows } from "./documents/rows.ts";
import { writeStatements } from "./documents/statements.ts";
import { writeSurface } from "./documents/surface.ts";
import { readMutation, readResult } from "./results.ts";

const DOCUMENT = new URL("../../docs/isolation.md", import.meta.url);

const INTRODUCTION = `# Isolation

<!-- Written by \`pnpm isolation --record\` from proof/isolation/results. Do not edit. -->

With \`tenantAuth()\`, no tenant's data can be read, changed or revealed from another tenant, and no user can sign in across tenants,
through any endpoint of Better Auth and its official plugins. This page lists the attacks against that claim, with the figures
of the last recorded runs. [threat-model.md](threat-model.md) lists the threats. To attack your own configuration in the same way,
see [testing.md](testing.md).

Everything runs against real components: the application in a separate process, PostgreSQL, Redis and an OpenID provider. A failing
run prints its seed and the command that repeats it. CI uses one fixed seed, so that a change faces the same attacks as its
parent. A manual run uses a new seed each time.
`;

/** Composes docs/isolation.md from the recorded results. */
export const composeIsolationDocs = async (): Promise<string> => {
	const sections = [
		writeSurface([await readResult("surface"), await readResult("surface-postgres-redis")]),
		writeModel(await readResult("model")),
		writeRights(await readResult("rights")),
		writeRows(await readResult("rows")),
		writeMutants(await readResult("mutants")),
		writeStatements(await readResult("statements")),
		writeMutation(await readMutation("scope")),
		writeKills(await readResult("kills")),
		writePostgresRestarts(await readResult("postgres-restarts")),
		writeRedisFaults(await readResult("redis-faults")),
		writeDeletion(await readResult("deletion")),
		writeInput(await readResult("input")),
		writeTiming(await readResult("timing")),
	];
	return `${[INTRODUCTION, ...sections].join("\n").trimEnd()}\n`;
};

export const writeIsolationDocs = async (): Promise<void> => writeFile(DOCUMENT, await composeIsolationDocs());

export const readIsolationDocs = (): Promise<string> => readFile(DOCUMENT, "utf8");

if (import.meta.main) await writeIsolationDocs();
