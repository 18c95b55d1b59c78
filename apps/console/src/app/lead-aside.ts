import { redirect } from "@tanstack/react-router";
import { Problem } from "../api/problem.ts";

/** Leads a session that the console refuses to where its user can go on. Throws every other error again. */
export const leadAside = (error: unknown): never => {
	switch (error instanceof Problem ? error.code : null) {
		case "SECOND_FACTOR_REQUIRED":
			throw redirect({ to: "/second-factor" });
		case "IMPERSONATION_NOT_ALLOWED":
			throw redirect({ to: "/impersonating" });
		case "TENANT_MANAGEMENT_NOT_ALLOWED":
			throw redirect({ to: "/no-access" });
		default:
			throw error;
	}
};
