import { PLATFORM, runWithTenant } from "better-auth-tenants";
import type { Auth } from "../../auth/create-auth.ts";
import { callApi } from "../../tenants/act-for-tenant.ts";
import { CommandError } from "../command-error.ts";

type NewOperator = { email: string; name: string; role: string; password: string };

/** Creates a platform user with a role, through the admin plugin. */
export const createOperator = async (
	auth: Pick<Auth, "api">,
	{ email, name, role, password }: NewOperator,
): Promise<{ id: string; email: string; name: string }> => {
	// whoever runs this command vouches for the address
	const body = { email, name, role, password, data: { emailVerified: true } };
	try {
		const created = await runWithTenant(PLATFORM, () => callApi(() => auth.api, "createUser", { body }));
		const user = Object(created?.user) as Record<string, unknown>;
		return { id: String(user.id), email: String(user.email), name: String(user.name) };
	} catch (error) {
		throw explain(error, role);
	}
};

const explain = (error: unknown, role: string): unknown => {
	switch (codeOf(error)) {
		case "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL":
			return new CommandError("OPERATOR_EXISTS", "The platform already has a user with this email", {
				fix: "Use another email. Operators change their password in the console, under Your account.",
				cause: error,
			});
		case "INVALID_EMAIL":
			return new CommandError("INVALID_EMAIL", "This is not an email", { fix: "Use ada@example.com.", cause: error });
		case "YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE":
			return new CommandError("UNKNOWN_ROLE", `The admin plugin has no role ${JSON.stringify(role)}`, {
				fix: "Set the first role of MANAGEMENT_ROLES to admin.",
				cause: error,
			});
		default:
			return error;
	}
};

const codeOf = (error: unknown): unknown => {
	const body: unknown = error instanceof Error && "body" in error ? error.body : null;
	return typeof body === "object" && body !== null && "code" in body ? body.code : null;
};
