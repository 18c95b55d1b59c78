import type { ReencryptProgress } from "better-auth-tenants";
import { type Command, InvalidArgumentError } from "commander";
import type { Auth } from "../auth/create-auth.ts";
import { plainText } from "../lib/plain-text.ts";
import { JSON_OPTION } from "./client-command.ts";
import { createOutput, type Output } from "./output.ts";
import { withEngine } from "./with-engine.ts";

type Options = { after?: string; batchSize: number; json?: boolean };

const AGAIN = "Run `tenants reencrypt` again: it skips what is done. With --after it continues where it stopped.";

/** `reencrypt` */
export const addReencrypt = (program: Command): void => {
	program
		.command("reencrypt")
		.description("Encrypt stored values again with the first secret of AUTH_SECRETS. Servers can run meanwhile")
		.option("--after <cursor>", "continue after the last cursor of an interrupted run")
		.option("--batch-size <rows>", "the rows read in one batch", readBatchSize, 500)
		.option(...JSON_OPTION)
		.addHelpText(
			"after",
			"\nRun it when all servers have the new secret first, then `tenants doctor` (docs/rotation.md).\n\nExample:\n  $ tenants reencrypt",
		)
		.action(async (options: Options) => {
			const output = createOutput(options);
			await withEngine((auth) => reencrypt(auth, options, output), { code: "REENCRYPT_FAILED", fix: AGAIN });
		});
};

const readBatchSize = (given: string): number => {
	const size = /^\d{1,5}$/.test(given) ? Number(given) : 0;
	if (size < 1 || size > 10_000) throw new InvalidArgumentError("Use a whole number from 1 to 10000.");
	return size;
};

const reencrypt = async (auth: Auth, { after, batchSize }: Options, output: Output): Promise<void> => {
	const { reencryptSecrets } = await import("better-auth-tenants");
	const { startProgress } = await import("./progress.ts");
	const progress = startProgress({ title: "Encrypting again", total: null });
	let cursor: string | null = after ?? null;
	let done: ReencryptProgress;
	try {
		done = await reencryptSecrets(auth, {
			batchSize,
			after: cursor,
			onProgress: (now) => {
				cursor = now.after;
				progress.update(now.seen, `${now.reencrypted} of ${now.seen} read, up to ${now.after ?? "the start"}`);
			},
		});
	} catch (error) {
		if (cursor !== null) output.note(`Stopped after ${plainText(cursor)}. Continue with --after ${plainText(cursor)}`);
		throw error;
	} finally {
		progress.stop();
	}
	const { seen, reencrypted, unreadable } = done;
	for (const one of unreadable) output.note(describe(one));
	if (unreadable.length > 0) process.exitCode = 1;
	await output.result(
		{ seen, reencrypted, unreadable },
		`${reencrypted} of ${seen} rows encrypted again${unreadable.length > 0 ? `; ${unreadable.length} cannot be decrypted` : ""}`,
	);
};

/** What is lost, and what to do about it. */
const describe = (lost: ReencryptProgress["unreadable"][number]): string => {
	const where = `of tenant ${plainText(lost.tenantId)} cannot be decrypted`;
	if ("providerId" in lost)
		return `The credentials ${where} for ${plainText(lost.providerId)}. Add the secret that encrypted them to AUTH_SECRETS, or register them again.`;
	return `Row ${plainText(String(lost.id))} in ${lost.table} ${where}. Add the secret that encrypted it to AUTH_SECRETS. ${REPLACE[lost.table]}`;
};

const REPLACE = {
	twoFactor:
		"If it is lost, the user must set up the second factor again: delete the row, and set `twoFactorEnabled` of the user to false.",
	jwks: "If it is lost, delete the row: a new key is created at the next token.",
	account: "If it is lost, the user's next sign-in with the provider stores new tokens.",
	oauthClient: "If it is lost, create a new secret for the client.",
} as const;
