import type { AuthContext } from "@better-auth/core";
import { findDriver } from "../database/driver.ts";
import { inspectTriggers } from "./inspect-triggers.ts";
import { readGuarded } from "./trigger.ts";

/**
 * Returns whether every table of this configuration has its trigger now. Reads the catalog each time, because tables and triggers
 * change while the process runs, and tenants are rarely closed. What cannot be read counts as no.
 */
export const createRefusalCheck =
	(context: AuthContext, { client, never }: { client: unknown; never: boolean }) =>
	async (): Promise<boolean> => {
		const driver = never ? null : findDriver(context, client);
		if (!driver) return false;
		try {
			const { prepare, missing } = await inspectTriggers(driver, readGuarded(context, client));
			return prepare.length === 0 && missing.length === 0;
		} catch (error) {
			context.logger.warn(
				"tenantAuth: the triggers of the database could not be read, so closing a tenant waits",
				error,
			);
			return false;
		}
	};
