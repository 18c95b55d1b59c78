import { readFile, writeFile } from "node:fs/promises";
import { writeInput, writeModel, writeMutants, writeTiming } from "./documents/attacks.ts";
import { writeDeletion, writeKills, writePostgresRestarts, writeRedisFaults } from "./documents/faults.ts";
import { writeSurface } from "./documents/surface.ts";
import { readResult } from "./results.ts";

const DOCUMENT = new URL("../../docs/isolation.md", import.meta.url);

const INTRODUCTION = `# Isolation

<!-- Written by \`pnpm isolation --record\` from proof/isolation/results. Do not edit. -->

The claim: mount \`tenantAuth()\`, and nothing of one tenant is read, changed, told or signed in to from another, through any
endpoint of the engine and of its official plugins. This page shows what was done to break that, with the figures of the last
recorded runs. The threats behind it: [threat-model.md](threat-model.md). Attack your own configuration in the same way:
[testing.md](testing.md).

Everything runs against real parts: the application in a process of its own, PostgreSQL, Redis, an OpenID provider. A failing
run prints its seed and the command that plays it again. CI plays one seed, so that a change is judged by the attacks its
parent held against; a run by hand takes another each time.
`;

/** What docs/isolation.md has to say by the results that are kept. */
export const composeIsolationDocs = async (): Promise<string> => {
	const sections = [
		writeSurface([await readResult("surface"), await readResult("surface-postgres-redis")]),
		writeModel(await readResult("model")),
		writeMutants(await readResult("mutants")),
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
