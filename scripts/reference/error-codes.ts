import ts from "typescript";
import { CONCURRENCY_ERROR_CODES } from "../../packages/tenants/src/errors/concurrency-error-codes.ts";
import { TENANT_AUTH_ERROR_CODES } from "../../packages/tenants/src/errors/error-codes.ts";
import { LIFECYCLE_ERROR_CODES } from "../../packages/tenants/src/errors/lifecycle-error-codes.ts";
import { MOVE_COLLISIONS } from "../../packages/tenants/src/errors/move-error-codes.ts";
import { SECOND_FACTOR_ERROR_CODES } from "../../packages/tenants/src/errors/second-factor-error-codes.ts";
import { SSO_ERROR_CODES } from "../../packages/tenants/src/errors/sso-error-codes.ts";
import { TENANT_ADMIN_ERROR_CODES } from "../../packages/tenants/src/errors/tenant-admin-error-codes.ts";
import { TRANSFER_ERROR_CODES } from "../../packages/tenants/src/errors/transfer-error-codes.ts";
import { INVITATION_ERROR_CODES } from "../../packages/tenants/src/features/invitations/error-codes.ts";
import { POLICY_ERROR_CODES } from "../../packages/tenants/src/features/policy/error-codes.ts";
import { ROW_ERROR_CODES } from "../../packages/tenants/src/features/rows/error-codes.ts";
import { TOKEN_ERROR_CODES } from "../../packages/tenants/src/tokens.ts";
import {
	CONCURRENCY_HELP,
	type Help,
	INVITATION_HELP,
	LIFECYCLE_HELP,
	MOVE_HELP,
	POLICY_HELP,
	ROW_HELP,
	SECOND_FACTOR_HELP,
	SERVICE_HELP,
	SSO_HELP,
	TENANT_ADMIN_HELP,
	TENANT_AUTH_HELP,
	TOKEN_HELP,
	TRANSFER_HELP,
} from "./error-code-help.ts";
import { code, link } from "./markdown.ts";
import { filesBelow, SERVICE, walk } from "./program.ts";
import { codeTables, statusesOfCodes, statusIn } from "./thrown-codes.ts";

/** An error code as the page shows it. `table` is its constant in the sources, `exportedAs` the export that has it. */
export type ErrorCode = Help & { table: string; exportedAs: string; name: string; message: string; statuses: number[] };

type Table = { codes: Record<string, { message: string }>; exportedAs: string; help: Record<string, Help> };

const TABLES: Record<string, Table> = {
	TENANT_AUTH_ERROR_CODES: {
		codes: TENANT_AUTH_ERROR_CODES,
		exportedAs: "TENANT_AUTH_ERROR_CODES",
		help: TENANT_AUTH_HELP,
	},
	CONCURRENCY_ERROR_CODES: {
		codes: CONCURRENCY_ERROR_CODES,
		exportedAs: "TENANT_AUTH_ERROR_CODES",
		help: CONCURRENCY_HELP,
	},
	SSO_ERROR_CODES: { codes: SSO_ERROR_CODES, exportedAs: "TENANT_AUTH_ERROR_CODES", help: SSO_HELP },
	TRANSFER_ERROR_CODES: { codes: TRANSFER_ERROR_CODES, exportedAs: "TENANT_AUTH_ERROR_CODES", help: TRANSFER_HELP },
	MOVE_COLLISIONS: { codes: MOVE_COLLISIONS, exportedAs: "MOVE_COLLISIONS", help: MOVE_HELP },
	POLICY_ERROR_CODES: { codes: POLICY_ERROR_CODES, exportedAs: "POLICY_ERROR_CODES", help: POLICY_HELP },
	SECOND_FACTOR_ERROR_CODES: {
		codes: SECOND_FACTOR_ERROR_CODES,
		exportedAs: "POLICY_ERROR_CODES",
		help: SECOND_FACTOR_HELP,
	},
	LIFECYCLE_ERROR_CODES: { codes: LIFECYCLE_ERROR_CODES, exportedAs: "LIFECYCLE_ERROR_CODES", help: LIFECYCLE_HELP },
	ROW_ERROR_CODES: { codes: ROW_ERROR_CODES, exportedAs: "ROW_ERROR_CODES", help: ROW_HELP },
	TENANT_ADMIN_ERROR_CODES: {
		codes: TENANT_ADMIN_ERROR_CODES,
		exportedAs: "TENANT_ADMIN_ERROR_CODES",
		help: TENANT_ADMIN_HELP,
	},
	INVITATION_ERROR_CODES: {
		codes: INVITATION_ERROR_CODES,
		exportedAs: "TENANT_ADMIN_ERROR_CODES",
		help: INVITATION_HELP,
	},
	TOKEN_ERROR_CODES: { codes: TOKEN_ERROR_CODES, exportedAs: "TOKEN_ERROR_CODES", help: TOKEN_HELP },
};

/** All codes of the package, by table. Throws for a table that is not shown. */
export const packageCodes = (): ErrorCode[] => {
	for (const table of codeTables().keys())
		if (!(table in TABLES))
			throw new Error(`${table} is not in the reference. Add it to scripts/reference/error-codes.ts.`);
	const statuses = statusesOfCodes();
	return Object.entries(TABLES).flatMap(([table, { codes, exportedAs, help }]) =>
		Object.entries(codes).map(([name, { message }]) => ({
			table,
			exportedAs,
			name,
			message,
			statuses: [...(statuses.get(`${table}.${name}`) ?? [])].toSorted((one, other) => one - other),
			...helpFor(help, name),
		})),
	);
};

const helpFor = (help: Record<string, Help>, name: string): Help => {
	const found = help[name];
	if (!found) throw new Error(`${name} has no cause and fix. Add it to scripts/reference/error-code-help.ts.`);
	return found;
};

/** The codes that the service returns itself. */
export const serviceCodes = (): Omit<ErrorCode, "table" | "exportedAs" | "message">[] => {
	const found = new Map<string, Set<number>>();
	for (const file of filesBelow(SERVICE).filter(
		({ fileName }) => !/\/src\/(command-line|config|doctor)\//.test(fileName),
	))
		walk(file, (node) => {
			const parts = ts.isArrayLiteralExpression(node)
				? node.elements
				: ts.isCallExpression(node) || ts.isNewExpression(node)
					? (node.arguments ?? [])
					: [];
			const status = parts[0] && statusIn(parts[0]);
			if (!status) return;
			for (const name of parts.slice(1).flatMap(codesIn)) found.set(name, (found.get(name) ?? new Set()).add(status));
		});
	return [...found].toSorted().map(([name, statuses]) => ({
		name,
		statuses: [...statuses],
		...helpFor(SERVICE_HELP, name),
	}));
};

/** `"NOT_FOUND"`, or the code in `{ code: "NOT_FOUND" }`. */
const codesIn = (node: ts.Node): string[] => {
	if (ts.isStringLiteral(node)) return /^[A-Z]+(_[A-Z]+)+$/.test(node.text) ? [node.text] : [];
	if (!ts.isObjectLiteralExpression(node)) return [];
	return node.properties.flatMap((property) =>
		ts.isPropertyAssignment(property) && property.name.getText() === "code" ? codesIn(property.initializer) : [],
	);
};

/** The heading of a code. Two tables have a code with the same name. */
export const codeTitle = (table: string, name: string): string => {
	const isTwice = Object.values(TABLES).filter(({ codes }) => name in codes).length > 1;
	return isTwice ? `${code(name)} of ${code(TABLES[table]?.exportedAs ?? table)}` : code(name);
};

/** A link to a code that is named with its table. */
export const codeLink = (qualified: string): string => {
	const [table = "", name = ""] = qualified.split(".");
	return link(code(name), codeTitle(table, name), "error-codes.md");
};
