import type { Command } from "commander";
import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { ask } from "../ask.ts";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { ApiError, CommandError } from "../command-error.ts";
import { plainText } from "../plain-text.ts";
import { startProgress } from "../progress.ts";
import { type Tenant, tenantAnswer } from "./tenant.ts";

type Options = ClientOptions & { yes?: boolean };

/** Seconds. A tenant with a million users is swept in batches, and that takes its time. */
const LONGEST = 3600;

/** `tenant delete` */
export const addTenantDelete = (tenant: Command): void => {
	clientCommand(tenant, "delete", {
		says: "Delete a tenant with everything in it, for good",
		example: "tenant delete ID",
	})
		.argument("<id>", "the tenant's id")
		.option("--yes", "do not ask; goes on with a deletion that was cut off, too")
		.action(async (tenantId: string, { yes, ...options }: Options) => {
			const { api, output } = openClient(options);
			if (!yes) await confirm(await find(api, tenantId));
			output.note(
				"Closed at once; the server then waits its DELETION_GRACE_PERIOD (usually 20 s) before the last sweep.",
			);
			await remove(api, tenantId);
			await output.result({ success: true, tenantId }, `Deleted ${tenantId}`);
		});
};

/** One whose deletion was cut off is shown no more, but can be deleted. */
const find = async (api: ApiClient, id: string): Promise<Tenant> => {
	try {
		return await api.get("/tenant/get", { answer: tenantAnswer, query: { id } });
	} catch (error) {
		if (!(error instanceof ApiError) || error.code !== "TENANT_NOT_FOUND") throw error;
		throw new CommandError(error.code, error.message, {
			mend: "Check the id. If its deletion was cut off, --yes goes on with it.",
			cause: error,
		});
	}
};

const confirm = async ({ name, slug }: Tenant): Promise<void> => {
	const typed = await ask(
		`This deletes ${plainText(name)} with all of its users, and nothing brings them back.\nType its slug, ${plainText(slug)}, to go on: `,
	);
	if (typed?.trim() !== slug)
		throw new CommandError("NOT_CONFIRMED", "Nothing was deleted", {
			mend: "Type the slug as it is shown, or add --yes where nobody can type.",
		});
};

const remove = async (api: ApiClient, tenantId: string): Promise<void> => {
	const progress = startProgress({ title: "Deleting", total: null });
	const tick = setInterval(() => progress.update(0, "closed, sweeping and waiting"), 250);
	try {
		await api.post("/tenant/delete", {
			answer: z.object({ success: z.literal(true) }),
			body: { tenantId },
			// the same call goes on where one was cut off
			repeatable: true,
			patience: "long",
			timeout: LONGEST,
		});
	} catch (error) {
		// the call before was cut off on its way back, and had done its work
		if (!(error instanceof ApiError && error.isRepeated && error.code === "TENANT_NOT_FOUND")) throw error;
	} finally {
		clearInterval(tick);
		progress.stop();
	}
};
