import { readFile } from "node:fs/promises";
import { newTenant } from "test-kit/load/visitor";
import type { Outcome } from "test-kit/results/outcome";
import { startRedis } from "test-kit/servers/redis-server";
import { startSmtp } from "test-kit/servers/smtp";
import { openStage } from "../faults/stage.ts";
import type { RunOptions } from "../part.ts";
import { createAsk } from "./ask.ts";
import { type Attacked, attackFor } from "./attack.ts";
import { moveIn, type Served, signInUntil } from "./neighbors.ts";

/** Bytes at the beginning and at the end. */
type Growth = { before: number; after: number };

export type StrangerResult = {
	minutes: number;
	redisMegabytes: number;
	attacked: Attacked[];
	served: Served;
	/** by what grew */
	grown: Record<string, Growth>;
};

const REDIS_MEGABYTES = 64;
const TENANTS = ["acme", "globex", "initech"];
const USERS_PER_TENANT = 20;

const PLUGINS = "admin,device-authorization,email-otp,magic-link,tenant-admin,username";

/** One address asks for whatever is stored, at the full rate that it is allowed, beside sign-ins of all tenants. */
export const runStranger = async ({ full, log }: RunOptions): Promise<Outcome<StrangerResult>> => {
	const minutes = full ? 10 : 0.5;
	const stage = await openStage();
	const redis = await startRedis({ memory: REDIS_MEGABYTES });
	const mail = await startSmtp();
	stage.onEnd(redis.close);
	stage.onEnd(mail.close);
	try {
		const service = await stage.prepare({
			REDIS_URL: redis.url,
			RATE_LIMIT: "true",
			TRUSTED_PROXIES: "127.0.0.1",
			SMTP_URL: mail.url,
			MAIL_FROM: "Example <auth@example.com>",
			PLUGINS,
			DEVICE_VERIFICATION_URL: "/device",
			DEVICE_CLIENT_IDS: "tv",
			LOG_LEVEL: "error",
		});
		const child = await service.start();
		const operator = service.visitor();
		const tenants: string[] = [];
		for (const slug of TENANTS) {
			const tenantId = await newTenant(operator, slug);
			const body = { tenantId, providerId: "github", clientId: `${slug}-at-github`, clientSecret: "secret" };
			const { status } = await operator.send("/tenant/oauth-config/register", { operator: true, body });
			if (status !== 200) throw new Error(`an OAuth config returned ${status}`);
			tenants.push(tenantId);
		}
		const ask = createAsk(service.origin);
		const people = await moveIn(ask, tenants, USERS_PER_TENANT);

		const measure = async () => {
			const [{ size } = {}] = await service.query("select pg_database_size(current_database()) as size");
			const status = await readFile(`/proc/${child.pid}/status`, "utf8");
			return {
				Redis: await redis.usedBytes(),
				"PostgreSQL on disk": Number(size),
				"Memory of the process": Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024,
			};
		};
		const before = await measure();
		const until = Date.now() + minutes * 60_000;
		const ticks = setInterval(() => void measure().then((seen) => log(JSON.stringify(seen))), 30_000);
		const [attacked, served] = await Promise.all([
			attackFor(ask, tenants, until),
			signInUntil(ask, people, until),
		]).finally(() => clearInterval(ticks));
		const after = await measure();

		const failed = Object.entries(served.failed).map(([answer, count]) => `${count} sign-ins returned ${answer}`);
		const stored = attacked.filter(({ what, accepted }) => what.includes("900 kB") && accepted > 0);
		const grown = Object.fromEntries(
			Object.entries(after).map(([name, bytes]) => [
				name,
				{ before: before[name as keyof typeof before], after: bytes },
			]),
		);
		for (const { what, answers } of attacked) log(`${what}: ${JSON.stringify(answers)}`);
		return {
			result: {
				minutes,
				redisMegabytes: REDIS_MEGABYTES,
				attacked,
				served,
				grown,
			},
			wrong: [
				...failed,
				...stored.map(({ what }) => `${what} was accepted`),
				...(served.signIns === 0 ? ["nobody signed in"] : []),
			],
			lines: [
				`${served.signIns} sign-ins of other users in ${minutes} minutes, ${failed.length === 0 ? "none" : "some"} failed`,
				...Object.entries(grown).map(
					([name, bytes]) => `${name}: ${megabytes(bytes.before)} MB before, ${megabytes(bytes.after)} MB after`,
				),
			],
		};
	} finally {
		await stage.clear();
		await stage.close();
	}
};

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);
