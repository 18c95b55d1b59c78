import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "../part.ts";
import { spreadOf } from "../stage/statistics.ts";
import { copyEngine } from "./copy-engine.ts";
import { FLOW_NAMES, type FlowName } from "./flows.ts";
import { ENGINE_VERSION } from "./patches.ts";
import {
	type MeasuredFlow,
	type MeasuredSide,
	patchesOf,
	SIDES,
	type SideName,
	type UpstreamResult,
} from "./result.ts";
import { SETUP_NAMES, type SetupName } from "./setups.ts";
import { type Side, startSide } from "./start-side.ts";

const WARM_UP = 600;
const REQUESTS = 100;
const PARALLEL = 8;

type Sides = Record<SideName, Side>;

/** The processor time of Better Auth's requests as published, with each patch of docs/upstream, and with all of them. */
export const runUpstream = async ({ full, log }: RunOptions): Promise<Outcome<UpstreamResult>> => {
	const rounds = full ? 40 : 8;
	const folder = await mkdtemp(join(tmpdir(), "upstream-"));
	try {
		const entries = new Map(SIDES.map((name) => [name, copyEngine(join(folder, name), patchesOf(name))]));
		const endpoints: Record<SetupName, number> = { fixed: 0, dynamic: 0, plugins: 0 };
		const flows: MeasuredFlow[] = [];
		for (const setup of SETUP_NAMES) {
			const sides = await startSides(entries, setup);
			endpoints[setup] = sides.published.endpoints;
			try {
				for (const flow of FLOW_NAMES) {
					flows.push({ setup, flow, sides: await measureFlow(sides, flow, rounds) });
					log(`${setup}: ${flow} is measured`);
				}
			} finally {
				for (const name of SIDES) await sides[name].stop();
			}
		}
		const result = { engine: ENGINE_VERSION, rounds, requests: REQUESTS, parallel: PARALLEL, endpoints, flows };
		return { result, wrong: judge(result), lines: describe(result) };
	} finally {
		await rm(folder, { recursive: true });
	}
};

const startSides = async (entries: Map<SideName, string>, setup: SetupName): Promise<Sides> => {
	const started: [SideName, Side][] = [];
	for (const name of SIDES) started.push([name, await startSide(entries.get(name) ?? "", setup)]);
	return Object.fromEntries(started) as Sides;
};

/** Sides take turns within each round, so that other load on the machine affects all of them. The order changes. */
const measureFlow = async (sides: Sides, flow: FlowName, rounds: number): Promise<Record<SideName, MeasuredSide>> => {
	let first = 0;
	const send = async (name: SideName, count: number): Promise<number> => {
		const { cpu } = await sides[name].send({ flow, first, count, parallel: PARALLEL });
		return cpu;
	};
	for (const name of SIDES) await send(name, WARM_UP);
	first += WARM_UP;
	const spent = new Map<SideName, number[]>(SIDES.map((name) => [name, []]));
	for (let round = 0; round < rounds; round += 1) {
		const turned = SIDES.map((_, at) => SIDES[(at + round) % SIDES.length] as SideName);
		for (const name of round % 2 === 0 ? turned : turned.toReversed())
			spent.get(name)?.push(await send(name, REQUESTS));
		first += REQUESTS;
	}
	const published = spent.get("published") ?? [];
	const measured = SIDES.map((name): [SideName, MeasuredSide] => {
		const own = spent.get(name) ?? [];
		const ratios = own.map((cpu, round) => (published[round] ?? cpu) / cpu);
		return [name, { cpu: spreadOf(own, 0), ratio: spreadOf(ratios, 2) }];
	});
	return Object.fromEntries(measured) as Record<SideName, MeasuredSide>;
};

const judge = ({ flows }: UpstreamResult): string[] =>
	flows
		.filter(({ sides }) => sides.all.ratio.median < 1)
		.map(
			({ setup, flow, sides }) => `${setup}, ${flow}: all patches together are ${sides.all.ratio.median} times as fast`,
		);

const describe = ({ engine, flows }: UpstreamResult): string[] => {
	const ratios = flows.map(({ sides }) => sides.all.ratio.median);
	return [
		`Better Auth ${engine} with all patches is ${Math.min(...ratios)} to ${Math.max(...ratios)} times as fast as published`,
	];
};
