import { fileURLToPath } from "node:url";
import type { Outcome } from "test-kit/results/outcome";
import { showCount } from "test-kit/results/show-count";
import { build } from "tsdown";
import type { RunOptions } from "../part.ts";
import { measureNodeStarts, type NodeStarts } from "./node-start.ts";
import { measurePackage, type PackageSizes } from "./package-sizes.ts";
import { measureWorkerStarts, type WorkerStarts } from "./worker-start.ts";

export type SizesResult = { rounds: number; sizes: PackageSizes; node: NodeStarts; workerd: WorkerStarts };

/** The download and install sizes, and the added time of a cold start on Node and in workerd. */
export const runSizes = async ({ full, log }: RunOptions): Promise<Outcome<SizesResult>> => {
	const rounds = full ? 40 : 12;
	await build({ cwd: fileURLToPath(new URL("../../../packages/tenants/", import.meta.url)), logLevel: "error" });
	log("the package is built");
	const sizes = await measurePackage();
	log(`sizes are taken; ${rounds} cold starts of each kind follow`);
	const node = await measureNodeStarts(rounds);
	log("cold starts on Node are done");
	const workerd = await measureWorkerStarts(rounds);
	const result = { rounds, sizes, node, workerd };
	return { result, wrong: judge(result), lines: describe(result) };
};

const judge = ({ sizes: { client }, workerd: { failure } }: SizesResult): string[] => [
	...(client.gzipBytes > client.limitBytes
		? [
				`the client entry takes ${showCount(client.gzipBytes)} bytes gzipped; the goal is at most ${showCount(client.limitBytes)}`,
			]
		: []),
	...(failure === null ? [] : [`tenants have to work in workerd: ${failure}`]),
];

const describe = ({ sizes, node, workerd }: SizesResult): string[] => [
	`The client entry takes ${showCount(sizes.client.gzipBytes)} of ${showCount(sizes.client.limitBytes)} bytes gzipped, the server entry ${showCount(sizes.server.gzipBytes)}`,
	`The tarball has ${showCount(sizes.tarball.bytes)} bytes, ${showCount(sizes.tarball.unpackedBytes)} when installed`,
	`A cold start until /ok takes ${node.ok.ratio.median} times the engine's alone on Node (${node.ok.addedMs.median} ms more), ${workerd.ok.ratio.median} times in workerd (${workerd.ok.addedMs.median} ms more)`,
];
