import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { countAnswers, createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { newTenant, PASSWORD, pick, show, Visitor } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { findPostgres, type PostgresServer, startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { runCommand } from "test-kit/service/service";
import { type Stack, startStack } from "test-kit/service/stack";
import type { RunOptions } from "./part.ts";
import { SERVICE_MAIN } from "./service-main.ts";

const execute = promisify(execFile);
const WORKERS = 4;

export type RestoreResult = {
	/** sign-ups acknowledged in all, and those of them that the restored database does not have */
	signUps: number;
	lostSignUps: number;
	/** of the load, and those of them without success */
	requests: number;
	failed: number;
	violations: string[];
};

/** Follows docs/runbooks/backup-and-restore.md: a dump under load, the loss of the server, and the restore at another one. */
export const runRestore = async ({ log }: RunOptions): Promise<Outcome<RestoreResult>> => {
	const folder = await mkdtemp(join(tmpdir(), "restore-"));
	const ledger = createLedger();
	const servers: PostgresServer[] = [await startPostgres()];
	const redis = await startRedis({ persistent: true });
	let stack: Stack | null = null;
	let endLoad = async (): Promise<void> => {};
	const violations: string[] = [];
	try {
		const url = servers[0]?.url ?? "";
		stack = await startStack(SERVICE_MAIN, { DATABASE_URL: url, REDIS_URL: `redis://127.0.0.1:${redis.port}` });
		const { origin, services, environment } = stack;
		const visitor = () => new Visitor(() => origin);
		const tenantId = await newTenant(visitor(), "restore-a");
		const neighbor = await newTenant(visitor(), "restore-b");
		const signUp = (email: string, tenant = tenantId) => enter("sign-up", visitor(), tenant, email);
		const signIn = (email: string, tenant = tenantId) => enter("sign-in", visitor(), tenant, email);
		/** compares what both processes say about a session */
		const expectSession = async (what: string, of: Visitor, email: string | null): Promise<void> => {
			for (const service of services) {
				const answer = await of.copy().send(`${service.origin}/api/auth/get-session`);
				const found = pick(answer.json, "user", "email") ?? null;
				if (answer.status !== 200 || found !== email) violations.push(`${what}: ${show(answer)} for ${found}`);
			}
		};

		const kept = await signUp("kept@example.com");
		const keptNeighbor = await signUp("kept@example.com", neighbor);
		const signedOut = await signIn("kept@example.com");
		const beforeSignOut = signedOut.copy();
		endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants: [tenantId, neighbor], people: "p", ledger });
		await untilAllSucceed(ledger, WORKERS);
		const dump = join(folder, "auth.dump");
		await execute(program("pg_dump"), ["--format=custom", `--file=${dump}`, url]);
		log("dumped under load");

		await untilAllSucceed(ledger, WORKERS);
		const late = await signUp("late@example.com");
		const keptLater = await signIn("kept@example.com");
		await signedOut.send("/sign-out", { body: {} });
		await expectSession("a user after the dump", late, "late@example.com");
		await expectSession("a session that was signed out", beforeSignOut, null);
		await endLoad();
		const signUps = ledger.people.length;

		// the server is lost with all its data; Redis is not
		const port = servers[0]?.port ?? 0;
		for (const service of services) await service.stop();
		await servers[0]?.close();
		servers.push(await startPostgres({ port }));
		await execute(program("pg_restore"), ["--exit-on-error", "--no-owner", `--dbname=${url}`, dump]);
		for (const service of services) await service.restart();
		await stack.untilAllServe();
		log("restored at a new server");

		await expectSession("a session in the dump", kept, "kept@example.com");
		await expectSession("a session in the dump, in another tenant", keptNeighbor, "kept@example.com");
		await expectSession("a user from after the dump", late, null);
		await expectSession("a session from after the dump", keptLater, null);
		// as the runbook says
		await expectSession("a sign-out from after the dump", beforeSignOut, "kept@example.com");
		await expectSession("a new sign-in", await signIn("kept@example.com"), "kept@example.com");
		await expectSession("a second sign-up", await signUp("late@example.com"), "late@example.com");
		let lostSignUps = 0;
		for (const person of ledger.people) {
			const answer = await visitor().send("/tenant/sign-in/email", { body: { ...person, password: PASSWORD } });
			if (answer.status === 401) lostSignUps += 1;
			else if (answer.status !== 200) violations.push(`a sign-in after the restore: ${show(answer)}`);
		}

		// a physical copy has the identity of its original, also after both copies were promoted
		const copy = await startPostgres({ follows: url });
		servers.push(copy);
		await copy.promote();
		const afterCopy = await signUp("after-copy@example.com");
		for (const service of services) await service.stop();
		await servers[1]?.close();
		const again = await startPostgres({ follows: copy.url, port });
		servers.push(again);
		await again.promote();
		const [removed = ""] = await runCommand({ main: SERVICE_MAIN, environment }, "restored");
		for (const service of services) await service.restart();
		await stack.untilAllServe();
		log(`restored from a physical copy: ${removed}`);
		await expectSession("a user from after the copy", afterCopy, null);
		await expectSession("a session in the copy", kept, "kept@example.com");

		const ended = await runCommand({ main: SERVICE_MAIN, environment }, "restored", "--end-sessions", "--yes");
		log(ended.join(", "));
		for (const one of [kept, keptNeighbor, beforeSignOut]) await expectSession("a session after all ended", one, null);
		await expectSession("a sign-in after all ended", await signIn("kept@example.com"), "kept@example.com");

		violations.push(...ledger.violations());
		return {
			result: { signUps, lostSignUps, ...countAnswers(ledger.answers), violations },
			wrong: violations,
			lines: [
				`${signUps} sign-ups acknowledged under load, ${lostSignUps} of them after the dump and lost with the database`,
				`${violations.length} sessions or sign-ins that the runbook does not expect`,
			],
		};
	} finally {
		await endLoad();
		await stack?.close();
		for (const server of servers) await server.close();
		await redis.close();
		await rm(folder, { recursive: true, force: true });
	}
};

const program = (name: string): string => join(findPostgres() ?? "", name);

const enter = async (
	how: "sign-up" | "sign-in",
	visitor: Visitor,
	tenantId: string,
	email: string,
): Promise<Visitor> => {
	const answer = await visitor.send(`/tenant/${how}/email`, {
		body: { tenantId, email, password: PASSWORD, name: "P" },
	});
	if (answer.status !== 200) throw new Error(`${how} of ${email}: ${show(answer)}`);
	return visitor;
};
