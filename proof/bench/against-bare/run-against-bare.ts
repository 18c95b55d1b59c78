import { startProcess } from "test-kit/processes";
import type { Run } from "test-kit/results/recorded-run";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import type { Outcome, RunOptions } from "../part.ts";
import { readResult } from "../results.ts";
import { ORIGIN } from "../stage/engine.ts";
import type { IdentityServer } from "../stage/identity-server.ts";
import { compare, type Volley } from "../stage/rounds.ts";
import { countStatements } from "./count-statements.ts";
import { type Authorize, FLOWS, type Flow } from "./flows.ts";
import { isCoarselySlow, judgeFlow, judgeRegression } from "./judge.ts";
import type { AgainstBareResult, MeasuredFlow } from "./result.ts";
import type { SideName } from "./sides.ts";
import { startThreads, type Threads } from "./start-threads.ts";

/** The engine with tenants and without, in one process and on one PostgreSQL, volley by volley. */
export const runAgainstBare = async ({ full, guard, log }: RunOptions): Promise<Outcome<AgainstBareResult>> => {
	const rounds = guard ? 3 : full ? 30 : 10;
	const flows: MeasuredFlow[] = [];
	// no waiting for the disk: what the plugin costs is easier to see without
	const postgres = await startPostgres({ settings: { synchronous_commit: "off", shared_buffers: "512MB" } });
	const redis = await startRedis();
	const identity = startProcess<IdentityServer>(new URL("../stage/identity-server.ts", import.meta.url));
	try {
		const gitlab = {
			...(await identity.call("start")),
			clientId: "bench",
			clientSecret: "bench-secret",
		};
		await identity.call("addClient", {
			...gitlab,
			redirectURIs: ["callback/gitlab", "tenant/callback/gitlab"].map((path) => `${ORIGIN}/api/auth/${path}`),
		});
		const authorize: Authorize = (url, person) => identity.call("authorize", { url, person });
		const servers = { postgres: postgres.url, redisPort: redis.port, gitlab };
		for (const setting of new Set(FLOWS.map((flow) => flow.setting))) {
			const { sides, close } = await startThreads(setting, servers, authorize);
			try {
				const chosen = FLOWS.filter((flow) => flow.setting === setting);
				const compared: MeasuredFlow["compared"][] = [];
				for (const flow of chosen) {
					const look = (attempt: number) => {
						// the guard looks for a great deal slower, not for a little; where it sees that, it looks more closely
						const isGlance = guard && attempt === 0;
						return compare(volleysOf(flow, sides), {
							rounds: attempt === 0 ? rounds : 9,
							volleys: isGlance ? Math.min(flow.volleys, 2) : flow.volleys,
							requests: flow.requests,
							from: attempt * 100_000,
						});
					};
					let seen = await look(0);
					// a machine that hesitates strikes a tenth of a second at random; what a change made slow is slow each time
					for (let attempt = 1; guard && attempt <= 3 && isCoarselySlow(seen); attempt += 1) seen = await look(attempt);
					compared.push(seen);
					log(`${flow.name}: ${seen.tenants.ratio.median.toFixed(3)} of the engine's speed`);
				}
				const counted = await countStatements(sides, chosen);
				for (const [at, { name, goal, requests, volleys, parallel }] of chosen.entries()) {
					const [speeds, statements] = [compared[at], counted[at]];
					if (!speeds || !statements) throw new Error(`${name} was not measured`);
					flows.push({ name, setting, goal, requests, volleys, parallel, compared: speeds, statements });
				}
			} finally {
				await close();
			}
		}
	} finally {
		await identity.stop();
		await redis.close();
		await postgres.close();
	}
	flows.sort((one, other) => orderOf(one) - orderOf(other));
	const recorded = guard ? await readResult<Run<AgainstBareResult>>("against-bare") : null;
	const wrong = flows.flatMap((flow) => (guard ? judgeRegression(flow, recorded?.result) : judgeFlow(flow)));
	return { result: { rounds, flows }, wrong, lines: flows.map(tell) };
};

const volleysOf = ({ name, parallel }: Flow, sides: Threads["sides"]): Record<SideName, Volley> => {
	const of =
		(side: SideName): Volley =>
		async (first, count) => {
			await sides[side].prepare(name, first, count);
			return sides[side].volley(name, first, count, parallel);
		};
	return { bare: of("bare"), endpoints: of("endpoints"), tenants: of("tenants") };
};

const orderOf = ({ name }: MeasuredFlow): number => FLOWS.findIndex((flow) => flow.name === name);

const tell = (flow: MeasuredFlow): string => {
	const { tenants, endpoints } = flow.compared;
	const { warm, cold } = flow.statements;
	return `${flow.name}: ${tenants.ratio.median.toFixed(3)} of the engine's speed (${tenants.ratio.low.toFixed(3)} to ${tenants.ratio.high.toFixed(3)}; endpoints alone ${endpoints.ratio.median.toFixed(3)}); statements ${warm.bare} without, ${warm.tenants} with, ${cold} cold`;
};
