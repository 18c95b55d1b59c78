import { passTimeForMails } from "test-kit/pass-time-in-queue";
import { freePort } from "test-kit/servers/free-port";
import { startSmtp } from "test-kit/servers/smtp";
import { makeWorld } from "../auth/world.ts";

/** A service with two tenants whose mail server can be stopped and started, and whose clock can be moved. */
export const makeOutboxWorld = async (environment: Record<string, string> = {}) => {
	const port = await freePort();
	let smtp: Awaited<ReturnType<typeof startSmtp>> | null = null;
	const world = await makeWorld({
		SMTP_URL: `smtp://127.0.0.1:${port}`,
		MAIL_FROM: "Example <auth@example.com>",
		...environment,
	});
	const stopMailServer = async (): Promise<void> => {
		await smtp?.close();
		smtp = null;
	};
	return {
		...world,
		startMailServer: async (options: Parameters<typeof startSmtp>[0] = {}) => {
			smtp = await startSmtp(options, port);
			return smtp;
		},
		stopMailServer,
		/** What the database has of the mails that wait. */
		stored: async () =>
			(
				await world.pool.query<{ payload: string; attempts: number; locked_by: string | null }>(
					"select payload::text, attempts, locked_by, last_error, key from tenants_jobs._private_jobs order by id",
				)
			).rows,
		/** Lets time pass for the mails: when they are due, and when they are given up. */
		passTime: (seconds: number): Promise<void> => passTimeForMails(world.pool, seconds),
		close: async (): Promise<void> => {
			await world.close();
			await stopMailServer();
		},
	};
};
