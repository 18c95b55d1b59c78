import type { RunningProcess } from "test-kit/processes";
import { type Client, openClient } from "../server/client.ts";
import { type Sample, type Stream, startOpenLoop } from "../server/open-loop.ts";
import { type Timing, timingOf } from "../server/timing.ts";
import { round } from "../stage/statistics.ts";
import { type Rates, streamsOf } from "./household-streams.ts";
import type { NoiseProcess } from "./noise.ts";
import type { Quarter } from "./quarter.ts";

/** Where a probe connects: to the public port on a kept or a new connection, or to a separate port. */
export const CONNECTIONS = ["kept", "anew", "apart"] as const; // cspell:ignore anew
export type Connection = (typeof CONNECTIONS)[number];

export type BurstResult = {
	/** their responses */
	outcomes: Record<string, number>;
	/** until the last response */
	seconds: number;
	/** the longest stall of the server's event loop */
	loopStoppedMs: number;
	/** the health route, called continuously on each kind of connection */
	health: Record<Connection, Timing>;
	/** the other tenants during the burst */
	signIn: Timing;
	session: Timing;
};

/** Per kind of connection. */
export const PROBES_PER_SECOND = 20;
const PROBE_CONNECTIONS = 64;

/** One tenant signs in many times at once. Measures the effect on the others and on the health route. */
export const measureBurst = async (
	{ server, client, loud, others }: Quarter,
	{ parallel, each, noise, seed }: { parallel: number; each: Rates; noise: RunningProcess<NoiseProcess>; seed: number },
): Promise<BurstResult> => {
	const probers = {
		kept: openClient(server.origin, { connections: PROBE_CONNECTIONS }),
		anew: openClient(server.origin, { connections: PROBE_CONNECTIONS, reconnects: true }),
		apart: openClient(server.healthOrigin, { connections: PROBE_CONNECTIONS, reconnects: true }),
	};
	await probers.kept.connect(PROBE_CONNECTIONS);
	try {
		await server.call("load");
		const streams = others.flatMap((household) => streamsOf(client, household, each));
		const neighbors = startOpenLoop(streams, seed);
		const probes = startOpenLoop(
			CONNECTIONS.map((kind) => probe(kind, probers[kind])),
			seed,
		);
		const asked = { origin: server.origin, household: loud, count: parallel };
		const { outcomes, seconds } = await noise.call("burst", asked);
		const health = await probes.end();
		const samples = await neighbors.end();
		return {
			outcomes,
			seconds: round(seconds, 1),
			loopStoppedMs: (await server.call("load"))?.loopDelayMs.most ?? 0,
			health: {
				kept: timingIn(health, "kept"),
				anew: timingIn(health, "anew"),
				apart: timingIn(health, "apart"),
			},
			signIn: timingIn(samples, "sign-in"),
			session: timingIn(samples, "get-session"),
		};
	} finally {
		for (const prober of Object.values(probers)) await prober.close();
	}
};

const probe = (name: string, client: Client): Stream => ({
	name,
	perSecond: PROBES_PER_SECOND,
	evenly: true,
	send: () => client.send("/health"),
	isRight: ({ status }) => status === 200,
});

const timingIn = (samples: Sample[], name: string): Timing => timingOf(samples.filter(({ stream }) => stream === name));
