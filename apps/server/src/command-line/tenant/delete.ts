import type { Command } from "commander";
import * as z from "zod";
import { plainText } from "../../lib/plain-text.ts";
import type { ApiClient } from "../api-client.ts";
import { ask } from "../ask.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { ApiError, CommandError } from "../command-error.ts";
import { startProgress } from "../progress.ts";
import { type Tenant, tenantAnswer } from "./tenant.ts";

type Options = ClientOptions & { yes?: boolean };

/** Seconds. A tenant with a million users is deleted in batches, which takes a while. */
const LONGEST = 3600;

/** `tenant delete` */
export const addTenantDelete = (tenant: Command): void => {
	clientCommand(tenant, "delete", {
		says: "Permanently delete a tenant with all its data",
		example: "tenant delete ID",
	})
		.argument("<id>", "the tenant's id")
		.option("--yes", "skip the confirmation; also resumes an interrupted deletion")
		.action(async (tenantId: string, { yes, ...options }: Options) => {
			const { api, output } = openClient(options);
			if (!yes) await confirm(await find(api, tenantId));
			output.note(
				"The tenant closes immediately. The server then waits for DELETION_DRAIN_TIME (default 20 s) before it deletes the last rows.",
			);
			await remove(api, tenantId);
			await output.result({ success: true, tenantId }, `Deleted ${tenantId}`);
		});
};

/** A tenant whose deletion was interrupted is not returned, but can still be deleted. */
const find = async (api: ApiClient, id: string): Promise<Tenant> => {
	try {
		return await api.get("/tenant/get", { answer: tenantAnswer, query: { id } });
	} catch (error) {
		if (!(error instanceof ApiError) || error.code !== "TENANT_NOT_FOUND") throw error;
		throw new CommandError(error.code, error.message, {
			fix: "Check the id. If a deletion was interrupted, resume it with --yes.",
			cause: error,
		});
	}
};

const confirm = async ({ name, slug }: Tenant): Promise<void> => {
	const typed = await ask(
		`This permanently deletes ${plainText(name)} with all of its users.\nType its slug, ${plainText(slug)}, to continue: `,
	);
	if (typed?.trim() !== slug)
		throw new CommandError("NOT_CONFIRMED", "Nothing was deleted", {
			fix: "Type the slug as shown, or add --yes in scripts.",
		});
};

const remove = async (api: ApiClient, tenantId: string): Promise<void> => {
	const progress = startProgress({ title: "Deleting", total: null });
	const tick = setInterval(() => progress.update(0, "closed, deleting rows"), 250);
	try {
		await api.post("/tenant/delete", {
			answer: z.object({ success: z.literal(true) }),
			body: { tenantId },
			// the same call resumes an interrupted deletion
			repeatable: true,
			patience: "long",
			timeout: LONGEST,
		});
	} catch (error) {
		// the previous call succeeded, but its response was lost
		if (!(error instanceof ApiError && error.isRepeated && error.code === "TENANT_NOT_FOUND")) throw error;
	} finally {
		clearInterval(tick);
		progress.stop();
	}
};
