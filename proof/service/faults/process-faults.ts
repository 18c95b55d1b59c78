import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Agent, get } from "node:http";
import { join } from "node:path";
import { newTenant } from "test-kit/load/visitor";
import { freePort } from "test-kit/servers/free-port";
import { createJudge, type Fault } from "./fault.ts";
import { signInPeople } from "./stage.ts";

const REQUESTS = 500;

/** Sends requests, and returns how many succeeded. Their lines are more than a pipe holds. */
const answered = async (send: () => Promise<{ status: number }>): Promise<number> => {
	let succeeded = 0;
	for (let sent = 0; sent < REQUESTS; sent += 50) {
		const answers = await Promise.all(Array.from({ length: 50 }, send));
		succeeded += answers.filter(({ status }) => status === 200).length;
	}
	return succeeded;
};

/** Serves requests while its log goes to `stdout`. */
const servesWithLog = async (stage: Parameters<Fault["run"]>[0], stdout: number) => {
	const judge = createJudge();
	const service = await stage.prepare();
	const child = await service.start(stdout);
	const { people } = await signInPeople(service.visitor, 1);
	const succeeded = await answered(async () => (await people[0]?.copy().send("/get-session")) ?? { status: 0 });
	judge.equal("responses", succeeded, REQUESTS);
	judge.equal("/livez", (await fetch(`${service.origin}/livez`)).status, 200);
	judge.equal("exit code", await child.end(), 0);
	return {
		outcome: `${succeeded} of ${REQUESTS} requests succeed, and the process stops in order`,
		lost: 0,
		wrong: judge.wrong,
	};
};

export const PROCESS_FAULTS: Fault[] = [
	{
		name: "SIGTERM while the service waits for Redis at startup",
		run: async (stage) => {
			const judge = createJudge();
			const service = await stage.prepare({ REDIS_URL: `redis://127.0.0.1:${await freePort()}` });
			const child = service.spawn();
			await new Promise((resolve) => setTimeout(resolve, 1_000));
			const code = await child.end();
			judge.equal("exit code", code, 0);
			return { outcome: `exits with ${code} at the first signal`, lost: 0, wrong: judge.wrong };
		},
	},
	{
		name: "Nobody reads the log",
		run: async (stage) => {
			const pipe = join(await stage.folder(), "log");
			execFileSync("mkfifo", [pipe]);
			const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
			const writer = openSync(pipe, constants.O_WRONLY);
			try {
				return await servesWithLog(stage, writer);
			} finally {
				closeSync(reader);
				closeSync(writer);
			}
		},
	},
	{
		name: "The disk of the log is full",
		run: async (stage) => {
			const full = openSync("/dev/full", "w");
			try {
				return await servesWithLog(stage, full);
			} finally {
				closeSync(full);
			}
		},
	},
	{
		name: "The disk of AUDIT_FILE is full",
		run: async (stage) => {
			const judge = createJudge();
			const service = await stage.prepare({ AUDIT_FILE: "/dev/full" });
			await service.start();
			const body = { name: "Acme", slug: "acme" };
			const answer = await service.visitor().send("/tenant/create", { operator: true, body });
			judge.equal("creating a tenant", [answer.status, answer.code], [503, "AUDIT_UNAVAILABLE"]);
			const [row] = await service.query(`select count(*)::int as tenants from "tenant"`);
			judge.equal("tenants", row?.tenants, 0);
			return {
				outcome: `management returns ${answer.status} ${answer.code} and does nothing`,
				lost: 0,
				wrong: judge.wrong,
			};
		},
	},
	{
		name: "TENANT_DOMAINS_FILE is missing or broken at startup",
		run: async (stage) => {
			const judge = createJudge();
			const file = join(await stage.folder(), "domains.json");
			const codes: (number | null)[] = [];
			for (const text of [null, "{", '{"login.acme.test":7}']) {
				if (text !== null) await writeFile(file, text);
				const service = await stage.prepare({ TENANT_RESOLVER: "custom-domain", TENANT_DOMAINS_FILE: file });
				const child = service.spawn();
				codes.push(await child.exited);
				if (!child.lines.join("").includes("TENANT_DOMAINS_FILE")) judge.wrong.push("the variable is not named");
			}
			judge.equal("exit codes", codes, [1, 1, 1]);
			return {
				outcome: `exits with ${[...new Set(codes)].join(", ")} and names the variable`,
				lost: 0,
				wrong: judge.wrong,
			};
		},
	},
	{
		name: "Sign-ups at hosts that belong to nobody",
		run: async (stage) => {
			const judge = createJudge();
			const service = await stage.prepare({ TENANT_RESOLVER: "subdomain,custom-domain", TENANT_DOMAIN: "app.test" });
			await service.start();
			await newTenant(service.visitor(), "acme");
			const port = Number(new URL(service.origin).port);
			const statuses: number[] = [];
			for (const host of ["login.acme.test", "nobody.app.test", "10.0.0.7", "app.test.evil.example"])
				statuses.push(await statusAt(port, host));
			judge.equal("statuses", statuses, [404, 404, 404, 404]);
			const [row] = await service.query(`select count(*)::int as users from "user"`);
			judge.equal("users", row?.users, 0);
			return {
				outcome: `${statuses.length} of ${statuses.length} hosts return ${[...new Set(statuses)].join(", ")}, and nobody is created`,
				lost: 0,
				wrong: judge.wrong,
			};
		},
	},
];

/** The status of a request whose Host header fetch would not send. */
const statusAt = (port: number, host: string): Promise<number> =>
	new Promise((resolve, reject) => {
		get({ host: "127.0.0.1", port, path: "/api/auth/ok", headers: { host }, agent: new Agent() }, (response) => {
			response.resume();
			resolve(response.statusCode ?? 0);
		}).on("error", reject);
	});
