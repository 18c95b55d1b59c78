import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { startIdentityProvider } from "test-kit/identity-provider";
import { createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { findLost } from "test-kit/load/settle";
import { newTenant, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { startSmtp } from "test-kit/servers/smtp";
import type { Environment, Service } from "test-kit/service/service";
import { startStack } from "test-kit/service/stack";
import { migrate } from "./migrate.ts";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";
import { buildEarlier } from "./versions/earlier-build.ts";
import { type Exchanged, exchange } from "./versions/exchange.ts";

type Direction = "earlier to new" | "new to earlier";

export type VersionsResult = {
	earlier: { commit: string; date: string };
	/** of the load, without those of the exchanges */
	requests: number;
	answers: Record<string, number>;
	failed: number;
	/** what one version issued and the other used, before and after the roll-back */
	exchanges: { what: string; direction: Direction; requests: number; failed: number }[];
	/** what `migrate` reported */
	expanded: string;
	/** whether `migrate --contract` was refused while the earlier version ran */
	refused: boolean;
	violations: string[];
};

const WORKERS = 4;

/** Upgrades from a build of an earlier commit, rolls back, and upgrades again, all under load. No request may fail. */
export const runVersions = async ({ ref, log }: RunOptions): Promise<Outcome<VersionsResult>> => {
	const endings: (() => Promise<unknown>)[] = [];
	const started = <Part>(part: Part, end: (part: Part) => Promise<unknown>): Part => {
		endings.unshift(() => end(part));
		return part;
	};
	try {
		const earlier = started(await buildEarlier(ref), (build) => build.remove());
		log(`built ${earlier.commit} of ${earlier.date}`);
		const postgres = started(await startPostgres(), (one) => one.close());
		const redis = started(await startRedis({ persistent: true }), (one) => one.close());
		const mailbox = started(await startSmtp(), (one) => one.close());
		const idp = started(await startIdentityProvider(), (one) => one.close());
		const client = { clientId: "global-client", clientSecret: randomBytes(16).toString("hex") };
		const shared: Environment = {
			DATABASE_URL: postgres.url,
			REDIS_URL: `redis://127.0.0.1:${redis.port}`,
			SMTP_URL: mailbox.url,
			MAIL_FROM: "Versions <auth@example.com>",
			ALLOW_PRIVATE_HOSTS: "true",
			SOCIAL_GITLAB_CLIENT_ID: client.clientId,
			SOCIAL_GITLAB_CLIENT_SECRET: client.clientSecret,
			SOCIAL_GITLAB_ISSUER: idp.gitlab.issuer,
			TENANT_CACHE_MAX_AGE: "0",
			// as in the other parts: the balancer reacts after the fifth check
			SHUTDOWN_DELAY: "4",
		};
		const stack = started(await startStack(earlier.main, shared), (one) => one.close());
		const { origin, services, environment } = stack;
		const [first, second] = services;
		if (!first || !second) throw new Error("two processes are expected");
		idp.addClient({ ...client, redirectURIs: [`${origin}/api/auth/tenant/callback/gitlab`] });
		const tenants: string[] = [];
		for (const slug of ["versions-a", "versions-b"]) tenants.push(await newTenant(new Visitor(() => origin), slug));

		const ledger = createLedger();
		const violations: string[] = [];
		const expect = (holds: boolean, otherwise: string): void => void (holds || violations.push(otherwise));
		const endLoad = started(
			startLoad({ workers: WORKERS, origin: () => origin, tenants, people: "p", ledger }),
			(end) => end(),
		);
		const settle = () => untilAllSucceed(ledger, WORKERS);
		const deploy = async (service: Service, main: string): Promise<void> => {
			const code = await service.restart({}, main);
			expect(code === 0, `a stopped process exited with ${code}`);
			await stack.untilAllServe();
			await settle();
		};
		const exchanges = new Map<string, VersionsResult["exchanges"][number]>();
		const note = (direction: Direction, all: Exchanged[]): void => {
			for (const { what, requests, wrong } of all) {
				const sum = exchanges.get(`${direction} ${what}`) ?? { what, direction, requests: 0, failed: 0 };
				exchanges.set(`${direction} ${what}`, {
					...sum,
					requests: sum.requests + requests,
					failed: sum.failed + wrong.length,
				});
				violations.push(...wrong.map((one) => `${what}, ${direction}: ${one}`));
			}
		};
		const sideBySide = async (): Promise<void> => {
			const world = { tenants, mailbox, idp, origin };
			note("new to earlier", await exchange(first, second, world));
			note("earlier to new", await exchange(second, first, world));
		};

		await settle();
		// as an earlier upgrade leaves a column that it added, so that there is something to contract
		const database = started(new Client({ connectionString: postgres.url }), (one) => one.end());
		await database.connect();
		await database.query('alter table "user" alter column "emailVerified" drop not null');
		const expanded = await migrate(environment);
		expect(expanded.code === 0, `the migration failed: ${expanded.text}`);
		await settle();
		log("two processes of the earlier version, database migrated");
		await deploy(first, SERVICE_MAIN);
		await sideBySide();
		const early = await migrate(environment, "--contract");
		const refused = early.code === 1 && early.text.includes("PROCESSES_RUNNING");
		expect(refused, `contracting was not refused: ${early.text}`);
		log(`side by side, contracting ${refused ? "refused" : "not refused"}`);
		await deploy(second, SERVICE_MAIN);
		log("upgraded");

		// before --contract, the previous version can be deployed again
		await deploy(second, earlier.main);
		await sideBySide();
		await deploy(first, earlier.main);
		log("rolled back");

		for (const service of [first, second]) await deploy(service, SERVICE_MAIN);
		const contracted = await migrate(environment, "--contract");
		expect(contracted.code === 0, `contracting failed: ${contracted.text}`);
		await settle();
		await endLoad();

		const failures = Object.entries(ledger.answers).filter(([name]) => !name.endsWith(" 200"));
		violations.push(
			...failures.map(([name, count]) => `${count} × ${name}`),
			...ledger.violations(),
			...(await findLost(ledger, () => origin)),
		);
		const requests = Object.values(ledger.answers).reduce((sum, count) => sum + count, 0);
		const used = [...exchanges.values()];
		const lost = used.reduce((sum, { failed }) => sum + failed, 0);
		return {
			result: {
				earlier: { commit: earlier.commit, date: earlier.date },
				requests,
				answers: ledger.answers,
				failed: failures.reduce((sum, [, count]) => sum + count, 0),
				exchanges: used,
				expanded: expanded.text,
				refused,
				violations,
			},
			wrong: violations,
			lines: [
				`from ${earlier.commit} of ${earlier.date} and back: ${requests} requests, ${failures.length} kinds of failure`,
				`${used.length} kinds of exchange between the versions, ${lost} failures in them`,
			],
		};
	} finally {
		for (const end of endings) await end();
	}
};
