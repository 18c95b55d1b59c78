import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { countAnswers, createLedger } from "test-kit/load/ledger";
import { startLoad } from "test-kit/load/load";
import { untilAllSucceed } from "test-kit/load/recovery";
import { newTenant, pick } from "test-kit/load/visitor";
import { passTimeForMails } from "test-kit/pass-time-in-queue";
import { freePort } from "test-kit/servers/free-port";
import { startRedis } from "test-kit/servers/redis-server";
import { startSmtp } from "test-kit/servers/smtp";
import { runCommand } from "test-kit/service/service";
import { startStack } from "test-kit/service/stack";
import { runRestore } from "../restore.ts";
import { SERVICE_MAIN } from "../service-main.ts";
import { expandDuringReport } from "../upgrade.ts";
import { createJudge, type Fault } from "./fault.ts";
import { signInPeople } from "./stage.ts";

const PEOPLE = 10;
const WORKERS = 2;
const HOUR = 3_600;

/** What an operator does, or has to sit out, while users are signed in. */
export const OPERATION_FAULTS: Fault[] = [
	{
		name: "The auth secret is rotated in three steps at two processes",
		run: async (stage) => {
			const judge = createJudge();
			const [old, next] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
			const redis = await startRedis({ persistent: true });
			stage.onEnd(redis.close);
			const stack = await startStack(SERVICE_MAIN, {
				DATABASE_URL: await stage.createDatabase(),
				REDIS_URL: redis.url,
				AUTH_SECRET: "",
				AUTH_SECRETS: `1:${old}`,
				SHUTDOWN_DELAY: "4",
			});
			stage.onEnd(stack.close);
			const { origin, services, environment } = stack;
			const { people, tenantId } = await signInPeople(() => stage.visitor(() => origin), PEOPLE);
			const neighbor = await newTenant(
				stage.visitor(() => origin),
				"globex",
			);
			const ledger = createLedger();
			const tenants = [tenantId, neighbor];
			const endLoad = startLoad({ workers: WORKERS, origin: () => origin, tenants, people: "p", ledger });
			stage.onEnd(endLoad);
			let kept = 0;
			for (const AUTH_SECRETS of [`1:${old},2:${next}`, `2:${next},1:${old}`, `2:${next}`]) {
				for (const service of services) {
					judge.equal("exit code", await service.restart({ AUTH_SECRETS }), 0);
					await stack.untilAllServe();
					await untilAllSucceed(ledger, WORKERS);
					kept = 0;
					// the browser takes the cookies that are signed again
					for (const person of people)
						if (pick((await person.send("/get-session")).json, "session", "tenantId") === tenantId) kept += 1;
					judge.equal("sessions", kept, PEOPLE);
				}
				if (AUTH_SECRETS.startsWith("2") && AUTH_SECRETS.includes(","))
					await runCommand({ main: SERVICE_MAIN, environment: { ...environment, AUTH_SECRETS } }, "reencrypt");
			}
			await endLoad();
			const load = countAnswers(ledger.answers);
			judge.equal("failed requests", load.failed, 0);
			return {
				outcome: `${kept} of ${PEOPLE} users stay signed in through 6 restarts`,
				lost: PEOPLE - kept,
				load,
				wrong: [...judge.wrong, ...ledger.violations()],
			};
		},
	},
	{
		name: "The mail server is away for an hour",
		run: async (stage) => {
			const judge = createJudge();
			const port = await freePort();
			const mail = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Faults <auth@example.com>" };
			const service = await stage.prepare(mail);
			await service.start();
			const { tenantId: tenant } = await signInPeople(service.visitor, PEOPLE);
			for (let index = 0; index < PEOPLE; index += 1) {
				const body = { email: `ada-${index}@example.com` };
				const asked = await service.visitor().send("/request-password-reset", { tenant, body });
				judge.equal("request of a mail", asked.status, 200);
			}
			const database = new Client({ connectionString: service.environment.DATABASE_URL });
			await database.connect();
			stage.onEnd(() => database.end());
			const waiting = async (condition: string): Promise<number> => {
				const { rows } = await database.query(
					`select count(*)::int from tenants_jobs._private_jobs where ${condition}`,
				);
				return rows[0]?.count ?? 0;
			};
			// due, locked and expiry times are moved, the clock is not
			for (let step = 1; step <= 6; step += 1) {
				while ((await waiting(`attempts < ${step} or locked_by is not null`)) > 0) await passMoment();
				await passTimeForMails(database, HOUR / 6);
			}
			judge.equal("mails that wait after an hour", await waiting("true"), PEOPLE);
			const mailbox = await startSmtp({}, port);
			stage.onEnd(mailbox.close);
			// a mail that was being tried while the server started waits for its next turn, which is minutes later
			for (let turn = 0; turn < 5 && mailbox.mails.length < PEOPLE; turn += 1) {
				await passTimeForMails(database, HOUR / 12);
				for (let moment = 0; mailbox.mails.length < PEOPLE && moment < 200; moment += 1) await passMoment();
			}
			const received = new Set(mailbox.mails.flatMap(({ envelope }) => envelope.to)).size;
			judge.equal("mails", [mailbox.mails.length, received], [PEOPLE, PEOPLE]);
			return {
				outcome: `${received} of ${PEOPLE} mails arrive afterwards, each once`,
				lost: PEOPLE - received,
				wrong: judge.wrong,
			};
		},
	},
	{
		name: "A migration waits for a table in use, under load",
		run: async (stage) => {
			const judge = createJudge();
			const service = await stage.prepare();
			await service.start();
			const tenants = [];
			for (const slug of ["acme", "globex"]) tenants.push(await newTenant(service.visitor(), slug));
			const holder = new Client({ connectionString: service.environment.DATABASE_URL });
			await holder.connect();
			stage.onEnd(() => holder.end());
			await holder.query('alter table "user" alter column "emailVerified" drop not null');
			const ledger = createLedger();
			const endLoad = startLoad({ workers: WORKERS, origin: () => service.origin, tenants, people: "p", ledger });
			stage.onEnd(endLoad);
			await untilAllSucceed(ledger, WORKERS);
			const { attempts, signIns } = await expandDuringReport({
				environment: service.environment,
				holder,
				ledger,
				full: false,
				expect: (holds, otherwise) => void (holds || judge.wrong.push(otherwise)),
			});
			await untilAllSucceed(ledger, WORKERS);
			await endLoad();
			const load = countAnswers(ledger.answers);
			judge.equal("failed requests", load.failed, 0);
			return {
				outcome: `${signIns} sign-ins while it tried ${attempts} times, then it completes`,
				lost: 0,
				load,
				wrong: [...judge.wrong, ...ledger.violations()],
			};
		},
	},
	{
		name: "A backup is restored, and Redis is not emptied",
		run: async () => {
			const { result, wrong } = await runRestore({ full: false, log: () => {} });
			return {
				outcome: `sessions from after the backup are refused, those in it are valid; ${result.lostSignUps} of ${result.signUps} sign-ups came after the backup`,
				lost: wrong.length,
				load: { requests: result.requests, failed: result.failed },
				wrong,
			};
		},
	},
];

const passMoment = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));
