import { BetterAuthError } from "@better-auth/core/error";
import type { Snapshot } from "./database.ts";

/** The attacks sign users up, delete and overwrite: never where somebody works. */
export const refuseProduction = (): void => {
	if (globalThis.process?.env.NODE_ENV === "production") {
		throw new BetterAuthError(
			"assertTenantIsolation attacks the database it is given, so it does not run with NODE_ENV=production. Run it from your tests, against a database of their own.",
		);
	}
};

export const refuseFilledDatabase = (snapshot: Snapshot): void => {
	const [tenants, users] = [snapshot.get("tenant")?.size ?? 0, snapshot.get("user")?.size ?? 0];
	if (tenants + users === 0) return;
	throw new BetterAuthError(
		`assertTenantIsolation: the database holds ${tenants} tenants and ${users} users. An attack that succeeds changes them, and every row is read after every call. Give it an empty test database, or accept both with allowFilledDatabase: true.`,
	);
};
