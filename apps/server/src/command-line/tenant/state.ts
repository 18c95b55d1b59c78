import type { Command } from "commander";
import { type ClientOptions, clientCommand, openClient } from "../client-command.ts";
import { tenantAnswer, tenantText } from "./tenant.ts";

type Options = ClientOptions & { reason?: string; endSessions?: boolean };

/** Seconds. Ending the sessions of a tenant with a million users takes a while. */
const LONGEST = 3600;

/** `tenant suspend` and `tenant archive` */
const addClosing = (tenant: Command, verb: "suspend" | "archive", says: string): void => {
	clientCommand(tenant, verb, { says, example: `tenant ${verb} ID --reason 'unpaid invoice'` })
		.argument("<id>", "the tenant's id")
		.requiredOption("--reason <text>", "why, on one line; operators can read it")
		.option("--end-sessions", "sessions from before stay dead when the tenant is restored")
		.action(async (tenantId: string, { reason, endSessions, ...options }: Options) => {
			const { api, output } = openClient(options);
			const body = { tenantId, reason, endSessions };
			const closed = await api.post(`/tenant/${verb}`, { answer: tenantAnswer, body, repeatable: true });
			await output.result(closed, tenantText(closed));
		});
};

export const addTenantSuspend = (tenant: Command): void =>
	addClosing(tenant, "suspend", "Suspend a tenant: its requests return 403 until it is restored");

export const addTenantArchive = (tenant: Command): void =>
	addClosing(tenant, "archive", "Archive a tenant that is not expected to come back; nothing is deleted");

/** `tenant restore` */
export const addTenantRestore = (tenant: Command): void => {
	clientCommand(tenant, "restore", {
		says: "Restore a suspended or archived tenant",
		example: "tenant restore ID --end-sessions",
	})
		.argument("<id>", "the tenant's id")
		.option("--reason <text>", "why, on one line; operators can read it")
		.option("--end-sessions", "sessions, tokens and links from before stay dead")
		.action(async (tenantId: string, { reason, endSessions, ...options }: Options) => {
			const { api, output } = openClient(options);
			const restored = await api.post("/tenant/restore", {
				answer: tenantAnswer,
				body: { tenantId, reason, endSessions },
				// a repeated restore that ends sessions is refused once the tenant is active, because it would end newer ones
				repeatable: !endSessions,
				patience: "long",
				timeout: LONGEST,
			});
			await output.result(restored, tenantText(restored));
		});
};
