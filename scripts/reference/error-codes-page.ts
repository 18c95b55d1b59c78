import { codeTitle, type ErrorCode, packageCodes, serviceCodes } from "./error-codes.ts";
import { grouped } from "./grouped.ts";
import { code, link, type Page, sentence, table } from "./markdown.ts";

const INTRODUCTION =
	"Every error code of the package and of the service, with its HTTP status, what causes it and how to fix it. The code is the contract: compare `code`, because messages may change.";

/** Where the codes of a table are returned. */
const PLACES: Record<string, string> = {
	TENANT_AUTH_ERROR_CODES:
		"Codes of the plugin. Clients get them in `error.code`. The export of the same name in `better-auth-tenants/client` has these.",
	CONCURRENCY_ERROR_CODES: "Codes of `limitConcurrency`.",
	SSO_ERROR_CODES: "Codes of single sign-on inside a tenant.",
	TRANSFER_ERROR_CODES:
		"Codes of the export and import of tenants and users. Codes about one user are in `refused` of the response, and the other users are imported.",
	MOVE_COLLISIONS: "Codes in `collisions` of `moveUsersToTenant`. They are reported, never thrown.",
	POLICY_ERROR_CODES: "Codes of `tenantPolicy()`.",
	SECOND_FACTOR_ERROR_CODES: "Codes of a second factor that a policy requires.",
	LIFECYCLE_ERROR_CODES: "Codes of `tenantLifecycle()`.",
	ROW_ERROR_CODES: "Codes of the helpers for your own tables.",
	TENANT_ADMIN_ERROR_CODES: "Codes of `tenantAdmin()`.",
	INVITATION_ERROR_CODES: "Codes of `tenantInvitations()`.",
	TOKEN_ERROR_CODES: "Codes of `verifyTenantToken` and `verifyTenantRequest`.",
};

export const errorCodesPage = (): Page => {
	const exports = grouped(packageCodes(), (one) => one.exportedAs);
	return {
		file: "error-codes.md",
		title: "Error codes",
		introduction: INTRODUCTION,
		body: [
			...[...exports].flatMap(([name, codes]) => [
				`## ${code(name)}`,
				...[...grouped(codes, (one) => one.table)].flatMap(([source, listed]) => [
					PLACES[source] ?? "",
					table(
						["Code", "Status", "Message"],
						listed.map((one) => [
							link(code(one.name), codeTitle(source, one.name)),
							statusOf(one),
							sentence(one.message),
						]),
					),
				]),
				...codes.flatMap((one) => [
					`### ${codeTitle(one.table, one.name)}`,
					`Status ${statusOf(one)}. Message: ${sentence(one.message)}`,
					...helpOf(one),
				]),
			]),
			"## Codes of the service",
			"The [service](../../apps/server/README.md) returns these itself, with `code` and `requestId`. It also returns those above.",
			...serviceCodes().flatMap((one) => [`### ${code(one.name)}`, `Status ${statusOf(one)}.`, ...helpOf(one)]),
		],
	};
};

const statusOf = ({ statuses }: Pick<ErrorCode, "statuses">): string => statuses.join(" or ") || "none, it is reported";

const helpOf = ({ cause, fix }: Pick<ErrorCode, "cause" | "fix">): string[] => [`Cause: ${cause}`, `Fix: ${fix}`];
