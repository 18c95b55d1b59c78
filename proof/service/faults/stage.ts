import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { Browser } from "test-kit/browser";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { type Answer, newTenant, PASSWORD, Visitor } from "test-kit/load/visitor";
import { startChild } from "test-kit/servers/child";
import { freePort } from "test-kit/servers/free-port";
import { startPostgres } from "test-kit/servers/postgres-server";
import { type Environment, runCommand } from "test-kit/service/service";
import { SERVICE_MAIN } from "../service-main.ts";
import type { Counted } from "./counted.ts";

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** One PostgreSQL, and a separate database, folder and process of the service for each fault. */
export const openStage = async () => {
	const postgres = await startPostgres();
	const closers: (() => Promise<unknown>)[] = [];
	const onEnd = (close: () => Promise<unknown>): void => void closers.unshift(close);

	let counted: Counted = { requests: 0, failed: 0 };
	const count = ({ status }: Answer): void => {
		counted.requests += 1;
		if (status === 0 || status >= 400) counted.failed += 1;
	};

	const createDatabase = async (): Promise<string> => {
		const name = `fault_${randomBytes(4).toString("hex")}`;
		const client = new Client({ connectionString: postgres.url });
		await client.connect();
		await client.query(`create database ${name}`);
		await client.end();
		return postgres.url.replace(/\/postgres$/, `/${name}`);
	};

	/** Migrates a new database, and returns how to start the service on it. */
	const prepare = async (given: Environment = {}) => {
		const port = await freePort();
		const origin = `http://127.0.0.1:${port}`;
		const environment: Environment = {
			PATH: process.env.PATH ?? "",
			AUTH_URL: origin,
			AUTH_SECRET: randomBytes(32).toString("base64"),
			DATABASE_URL: await createDatabase(),
			MANAGEMENT_KEYS: MANAGEMENT_KEY,
			REQUIRE_EMAIL_VERIFICATION: "false",
			RATE_LIMIT: "false",
			NODE_ENV: "production",
			PORT: String(port),
			...given,
		};
		await runCommand({ main: SERVICE_MAIN, environment }, "migrate");
		/** Starts a process, ready or not. */
		const spawn = (stdout: "pipe" | number = "pipe") => {
			const child = startChild(process.execPath, [SERVICE_MAIN, "serve"], {
				env: environment,
				stdio: ["ignore", stdout, "pipe"],
			});
			onEnd(() => child.end("SIGKILL"));
			return child;
		};
		return {
			origin,
			environment,
			spawn,
			visitor: () => new Visitor(() => origin, new Browser(), count),
			/** Starts a process and waits until it is ready. */
			start: async (stdout: "pipe" | number = "pipe") => {
				const child = spawn(stdout);
				await child.until(async () => (await fetch(`${origin}/readyz`)).ok);
				return child;
			},
			query: async (sql: string): Promise<Record<string, unknown>[]> => {
				const client = new Client({ connectionString: environment.DATABASE_URL });
				await client.connect();
				const { rows } = await client.query(sql);
				await client.end();
				return rows;
			},
		};
	};

	return {
		prepare,
		createDatabase,
		onEnd,
		/** A user of a process that the stage did not start. */
		visitor: (origin: () => string) => new Visitor(origin, new Browser(), count),
		/** The requests since the last call. */
		counted: (): Counted => {
			const since = counted;
			counted = { requests: 0, failed: 0 };
			return since;
		},
		/** A folder that is deleted after the fault. */
		folder: async (): Promise<string> => {
			const folder = await mkdtemp(join(tmpdir(), "fault-"));
			onEnd(() => rm(folder, { recursive: true }));
			return folder;
		},
		/** Ends what the last fault started. */
		clear: async (): Promise<void> => {
			for (const close of closers.splice(0)) await close();
		},
		close: () => postgres.close(),
	};
};

/** Users of a new tenant, each signed in. */
export const signInPeople = async (visitor: () => Visitor, count: number, slug = "acme") => {
	const tenantId = await newTenant(visitor(), slug);
	const people: Visitor[] = [];
	for (let index = 0; index < count; index += 1) {
		const person = visitor();
		const body = { tenantId, name: "Ada", email: `ada-${index}@example.com`, password: PASSWORD };
		const { status } = await person.send("/tenant/sign-up/email", { body });
		if (status !== 200) throw new Error(`a sign-up returned ${status}`);
		people.push(person);
	}
	return { tenantId, people };
};
