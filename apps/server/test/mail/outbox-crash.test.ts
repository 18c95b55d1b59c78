import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { passTimeInQueue } from "test-kit/pass-time-in-queue";
import { startSmtp } from "test-kit/servers/smtp";
import { startService } from "test-kit/service/service";
import { expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../src/config/config.ts";
import { DEAD_AFTER } from "../../src/jobs/upkeep.ts";
import { jobsIn } from "../jobs/queue-world.ts";
import { createTestDatabase } from "../support/database.ts";
import { AUTH_URL, MANAGEMENT_KEY, testEnvironment } from "../support/environment.ts";

const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url));

/** A mail server that accepts connections and never responds. */
const startSilence = async (): Promise<number> => {
	const server = createServer((socket) => socket.on("error", () => {}));
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	return (server.address() as AddressInfo).port;
};

it("sends the mails of a process that was killed after its responses, each once", async () => {
	const environment = (databaseURL: string, port: number) =>
		testEnvironment(databaseURL, {
			SMTP_URL: `smtp://127.0.0.1:${port}`,
			MAIL_FROM: "Example <auth@example.com>",
			REQUIRE_EMAIL_VERIFICATION: "true",
		}) as Record<string, string>;
	const database = await createTestDatabase((url) => readConfig(environment(url, 1)));
	const pool = new pg.Pool({ connectionString: database.url });
	pool.on("error", () => {});
	onTestFinished(async () => {
		await pool.end();
		await database.drop();
	});
	const silence = await startSilence();
	const first = await startService({ main: MAIN, environment: environment(database.url, silence) });
	onTestFinished(async () => void (await first.stop("SIGKILL")));
	const post = (path: string, body: object, headers: Record<string, string> = {}) =>
		fetch(`${first.origin}/api/auth${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: AUTH_URL, ...headers },
			body: JSON.stringify(body),
		});
	const emails: string[] = [];
	for (const slug of ["acme", "globex"]) {
		const made = await post("/tenant/create", { name: slug, slug }, { authorization: `Bearer ${MANAGEMENT_KEY}` });
		const { id: tenantId } = (await made.json()) as { id: string };
		for (const name of ["ada", "bo", "cy", "di"]) {
			const email = `${name}@${slug}.example.com`;
			emails.push(email);
			const body = { tenantId, email, name, password: "correct horse battery" };
			expect((await post("/tenant/sign-up/email", body)).status).toBe(200);
		}
	}
	// it is in the middle of sending some, and has not tried the others
	const locked = async () => (await jobsIn(pool)).filter((job) => job.locked_by !== null).length;
	await expect.poll(locked).toBeGreaterThan(0);
	await first.stop("SIGKILL");
	expect(await jobsIn(pool)).toHaveLength(8);

	await passTimeInQueue(pool, DEAD_AFTER + 1);
	const smtp = await startSmtp();
	onTestFinished(() => smtp.close());
	const second = await startService({ main: MAIN, environment: environment(database.url, smtp.port) });
	onTestFinished(async () => void (await second.stop()));
	await expect.poll(() => smtp.mails.length, { timeout: 30_000 }).toBe(8);
	await expect.poll(() => jobsIn(pool)).toEqual([]);
	expect(smtp.mails.flatMap(({ envelope }) => envelope.to).sort()).toEqual(emails.sort());
});
