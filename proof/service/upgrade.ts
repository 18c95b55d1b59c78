import { setTimeout as wait } from "node:timers/promises";
import { Client } from "pg";
import { createLedger, type Ledger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { findLost } from "test-kit/load/settle";
import { newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startChild } from "test-kit/servers/child";
import { startPostgres } from "test-kit/servers/postgres-server";
import type { Environment } from "test-kit/service/service";
import { type Stack, startStack } from "test-kit/service/stack";
import { migrate } from "./migrate.ts";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

export type UpgradeResult = {
	requests: number;
	/** by request and response; in an upgrade everything succeeds */
	answers: Record<string, number>;
	failed: number;
	/** while the migration waited for a table in use */
	whileWaiting: { attempts: number; signIns: number };
	violations: string[];
};

const WORKERS = 4;
/** The next version: it has one more plugin, with columns and unique indexes on a table in use. */
const NEXT = { PLUGINS: "username" };
const STEP = 'alter table "user" alter column "emailVerified" set not null';

/** Upgrades two processes in turn under load: expand, deploy, contract. No request may fail. */
export const runUpgrade = async ({ full, log }: RunOptions): Promise<Outcome<UpgradeResult>> => {
	const ledger = createLedger();
	const postgres = await startPostgres();
	const holder = new Client({ connectionString: postgres.url });
	const violations: string[] = [];
	const expect = (holds: boolean, otherwise: string): void => void (holds || violations.push(otherwise));
	let stack: Stack | null = null;
	let endLoad = async (): Promise<void> => {};
	let operating = true;
	try {
		await holder.connect();
		stack = await startStack(SERVICE_MAIN, {
			DATABASE_URL: postgres.url,
			DELETION_DRAIN_TIME: "0",
			// the balancer checks four times a second and reacts after the fifth, so a stall of a second is harmless
			SHUTDOWN_DELAY: "4",
		});
		const { origin, services, environment } = stack;
		const [first, second] = services;
		if (!first || !second) throw new Error("two processes are expected");
		// as an earlier upgrade leaves a column that it added
		await holder.query('alter table "user" alter column "emailVerified" drop not null');
		const tenants = [];
		for (const slug of ["upgrade-a", "upgrade-b"]) tenants.push(await newTenant(new Visitor(() => origin), slug));
		endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants, people: "p", ledger });
		const operator = operate(
			ledger,
			WORKERS,
			() => origin,
			() => operating,
		);
		const settle = () => untilAllSucceed(ledger, WORKERS + 1);
		await settle();

		const whileWaiting = await expandDuringReport({ environment, holder, ledger, full, expect });
		log(`migrated: ${whileWaiting.signIns} sign-ins during ${whileWaiting.attempts} attempts`);
		await settle();

		// side by side: the first has the new configuration; the second starts once more with the old one
		const exits = [await first.restart(NEXT)];
		await stack.untilAllServe();
		exits.push(await second.restart());
		await stack.untilAllServe();
		await settle();
		await expectUsernames(() => first.origin, tenants, expect);
		const refused = await migrate({ ...environment, ...NEXT }, "--contract");
		expect(
			refused.code === 1 && refused.text.includes("PROCESSES_RUNNING"),
			`contracting was not refused: ${refused.text}`,
		);
		log("old and new side by side, contracting refused");

		exits.push(await second.restart(NEXT));
		await stack.untilAllServe();
		const contracted = await migrate({ ...environment, ...NEXT }, "--contract");
		expect(contracted.code === 0, `contracting failed: ${contracted.text}`);
		const { rows } = await holder.query(
			`select attnotnull from pg_attribute where attrelid = '"user"'::regclass and attname = 'emailVerified'`,
		);
		expect(rows[0]?.attnotnull === true, "the contracted column can be null");
		await settle();
		operating = false;
		await operator;
		await endLoad();

		const failures = Object.entries(ledger.answers).filter(([name]) => !name.endsWith(" 200"));
		violations.push(
			...failures.map(([name, count]) => `${count} × ${name}`),
			...exits.flatMap((code) => (code === 0 ? [] : [`a stopped process exited with ${code}`])),
			...(await findLost(ledger, () => origin)),
		);
		const requests = Object.values(ledger.answers).reduce((sum, count) => sum + count, 0);
		return {
			result: {
				requests,
				answers: ledger.answers,
				failed: failures.reduce((sum, [, count]) => sum + count, 0),
				whileWaiting,
				violations,
			},
			wrong: violations,
			lines: [
				`an upgrade under load: ${requests} requests, ${failures.length} kinds of failure`,
				`${whileWaiting.signIns} sign-ins while the migration tried ${whileWaiting.attempts} times for a table in use`,
			],
		};
	} finally {
		operating = false;
		await endLoad();
		await stack?.close();
		await holder.end();
		await postgres.close();
	}
};

type Expect = (holds: boolean, otherwise: string) => void;
type Report = { environment: Environment; holder: Client; ledger: Ledger; full: boolean; expect: Expect };

/** Migrates while a long transaction reads the users, until enough of them have signed in meanwhile. */
export const expandDuringReport = async ({ environment, holder, ledger, full, expect }: Report) => {
	await holder.query("begin");
	await holder.query('select count(*) from "user"');
	const signIns = (): number => ledger.answers["sign-in 200"] ?? 0;
	const child = startChild(process.execPath, [SERVICE_MAIN, "migrate"], {
		env: { PATH: process.env.PATH, ...environment, ...NEXT },
	});
	const attempts = (): number => child.lines.filter((line) => line.startsWith("waiting, the table is in use")).length;
	while (attempts() === 0 && !child.isOver()) await wait(20);
	const before = signIns();
	const enough = full ? 100 : 10;
	while ((attempts() < 3 || signIns() - before < enough) && !child.isOver()) await wait(20);
	expect(!child.isOver(), `the migration did not wait: ${child.lines.join("\n")}`);
	const seen = { attempts: attempts(), signIns: signIns() - before };
	await holder.query("commit");
	const code = await child.exited;
	expect(code === 0, `the migration failed: ${child.lines.join("\n")}`);
	expect(
		child.lines.some((line) => line.includes(STEP)),
		"the migration does not say what waits for --contract",
	);
	return seen;
};

/** Creates and deletes tenants, each request at any of the processes. */
const operate = async (ledger: Ledger, worker: number, origin: () => string, goesOn: () => boolean): Promise<void> => {
	for (let round = 1; goesOn(); round += 1) {
		const operator = new Visitor(origin);
		const slug = `operated-${round}`;
		const made = await operator.send("/tenant/create", { operator: true, body: { name: slug, slug } });
		ledger.note(worker, "tenant create", made, made.status === 200);
		const body = { tenantId: pick(made.json, "id") };
		const deleted = await operator.send("/tenant/delete", { operator: true, body });
		ledger.note(worker, "tenant delete", deleted, deleted.status === 200);
		await wait(50);
	}
};

/** The new process serves the new plugin while old ones run: usernames are unique in each tenant. */
const expectUsernames = async (origin: () => string, tenants: string[], expect: Expect): Promise<void> => {
	for (const tenantId of tenants) {
		const signUp = (email: string) =>
			new Visitor(origin).send("/tenant/sign-up/email", {
				body: { tenantId, name: "N", email, password: PASSWORD, username: "the_same" },
			});
		const named = await signUp("named@example.com");
		expect(named.status === 200, `a user with a username cannot sign up: ${show(named)}`);
		const again = await signUp("again@example.com");
		expect(again.status === 400, `a username can be taken twice: ${show(again)}`);
	}
};
