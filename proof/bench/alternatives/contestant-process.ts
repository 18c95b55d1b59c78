import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Pool } from "pg";
import { answerCalls } from "test-kit/processes";
import { CONTESTANTS, type ContestantName } from "./contestants.ts";
import { emailOf } from "./tenant-names.ts";
import { getSession, type Served, signIn } from "./visit.ts";

// more than the limit at which a contestant is stopped, so that V8 does not stop it first
setFlagsFromString("--max-old-space-size=8192");
setFlagsFromString("--expose-gc");
// otherwise the heap shrinks by unused compiled code, which is more than some tenants need
setFlagsFromString("--no-flush-bytecode");
const collectGarbage = runInNewContext("gc") as () => void;

type Settings = { name: ContestantName; postgres: string };

/** A request of the load. Nothing is kept here, so that it does not count as the contestant's memory. */
export type Asked = { tenant: number; cookie: string };
export type Kind = "get-session" | "sign-in";

let pool: Pool | undefined;
let servedOf: (tenant: number) => Served = () => {
	throw new Error("open it first");
};

const calls = {
	open: async ({ name, postgres }: Settings) => {
		pool = new Pool({ connectionString: postgres, max: 10 });
		servedOf = CONTESTANTS[name].open(pool);
	},
	/** Signs in at each of these tenants, one after the other. */
	visit: async (tenants: number[]) => {
		const ms: number[] = [];
		const cookies: string[] = [];
		for (const tenant of tenants) {
			const began = performance.now();
			cookies.push(await signIn(servedOf(tenant), emailOf(tenant)));
			ms.push(performance.now() - began);
		}
		return { ms, cookies, heapBytes: process.memoryUsage().heapUsed };
	},
	/** Requests per second over all of these, this many at a time. */
	load: async ({ kind, asked, parallel }: { kind: Kind; asked: Asked[]; parallel: number }) => {
		let next = 0;
		collectGarbage();
		const began = performance.now();
		await Promise.all(
			Array.from({ length: parallel }, async () => {
				for (let one = asked[next++]; one; one = asked[next++]) {
					const { tenant, cookie } = one;
					if (kind === "sign-in") await signIn(servedOf(tenant), emailOf(tenant));
					else await getSession(servedOf(tenant), cookie, emailOf(tenant));
				}
			}),
		);
		return asked.length / ((performance.now() - began) / 1000);
	},
	/** Memory after garbage collection. */
	memory: async () => {
		for (let time = 0; time < 3; time += 1) {
			collectGarbage();
			await new Promise((resolve) => setImmediate(resolve));
		}
		const { heapUsed, rss } = process.memoryUsage();
		return { heapBytes: heapUsed, rssBytes: rss };
	},
};

export type ContestantCalls = typeof calls;

answerCalls(calls, async () => {
	await pool?.end();
});
