import { BetterAuthError } from "@better-auth/core/error";
import type { Snapshot } from "./database.ts";

/** The attacks create users, delete rows and overwrite them, so they must never run in production. */
export const refuseProduction = (): void => {
	if (globalThis.process?.env.NODE_ENV === "production") {
		throw new BetterAuthError(
			"assertTenantIsolation attacks its database, so it does not run with NODE_ENV=production. Run it in your tests, with a separate database.",
		);
	}
};

export const refuseFilledDatabase = (snapshot: Snapshot): void => {
	const [tenants, users] = [snapshot.get("tenant")?.size ?? 0, snapshot.get("user")?.size ?? 0];
	if (tenants + users === 0) return;
	throw new BetterAuthError(
		`assertTenantIsolation: the database contains ${tenants} tenants and ${users} users. A successful attack changes them, and every row is read after every call. Use an empty test database, or set allowFilledDatabase: true.`,
	);
};
