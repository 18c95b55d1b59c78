import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

const PACKAGE = join(import.meta.dirname, "../packages/tenants");
const NAME = "better-auth-tenants";

/** The application that snippets are about: the names that a reader has and a fragment does not declare. */
export const PRELUDE: Record<string, string> = {
	"auth.ts": `import { betterAuth } from "better-auth";
import { admin } from "better-auth/plugins";
import { withTenants } from "${NAME}";

export const auth = betterAuth({ plugins: withTenants({}, [admin()]) });
`,
	"db.ts": `import { Pool } from "pg";

export const pool = new Pool();
`,
	// the files of docs/guides/row-level-data.md that its other files import
	"invoices.ts": `export declare const listInvoices: () => Promise<{ id: string }[]>;
export declare const addInvoice: (id: string, customerId: string, amount: number) => Promise<unknown>;
`,
	"generated/client.ts": `import type { ExtensionArgs } from "@prisma/client/runtime/client";

export declare class PrismaClient {
	constructor(options: { adapter: object });
	$extends(extension: ExtensionArgs): this;
}
`,
	"prelude.d.ts": `import type { createAuthClient } from "better-auth/client";
import type { Pool } from "pg";
import type { AuditSink, TenantAuthOptions } from "${NAME}";
import type { tenantAuthClient } from "${NAME}/client";
import type { auth as application } from "./auth.ts";

declare global {
	const auth: typeof application;
	const authClient: ReturnType<typeof createAuthClient<{ plugins: [ReturnType<typeof tenantAuthClient>] }>>;
	const keys: string[];
	const audit: AuditSink;
	const authorize: NonNullable<NonNullable<TenantAuthOptions["management"]>["authorize"]>;
	const pool: Pool;
	const db: Record<string, unknown>;
	const schema: Record<string, unknown>;
	const sql: (parts: TemplateStringsArray, ...values: unknown[]) => Promise<unknown>;
	const email: string;
	const password: string;
	const token: string;
	const tenantId: string;
	const userId: string;
	const headers: Headers;
	const showBanner: (text: string) => void;
	const bcrypt: { compare(password: string, hash: string): Promise<boolean> };
}
`,
};

/** Names of other packages that fragments use without an import. */
const OF_OTHERS: Record<string, string[]> = {
	"better-auth": ["betterAuth"],
	"better-auth/adapters/drizzle": ["drizzleAdapter"],
	"better-auth/crypto": ["hashPassword", "verifyPassword"],
	"better-auth/plugins": ["organization", "twoFactor", "username"],
};

type Import = { name: string; from: string };

/** What the published entries of the package export and fragments can use: no types. */
const exportsOfPackage = (): Import[] => {
	const { exports, publishConfig } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8"));
	return Object.keys(publishConfig.exports)
		.filter((entry) => String(exports[entry]).endsWith(".ts"))
		.flatMap((entry) => {
			const file = join(PACKAGE, String(exports[entry]));
			const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
			return source.statements.flatMap(valuesOf).map((name) => ({ name, from: join(NAME, entry) }));
		});
};

const valuesOf = (statement: ts.Statement): string[] => {
	if (ts.isExportDeclaration(statement)) {
		const named = statement.exportClause;
		if (statement.isTypeOnly || !named || !ts.isNamedExports(named)) return [];
		return named.elements.filter(({ isTypeOnly }) => !isTypeOnly).map(({ name }) => name.text);
	}
	if (!ts.isVariableStatement(statement)) return [];
	const isExported = statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
	return isExported ? statement.declarationList.declarations.map(({ name }) => name.getText()) : [];
};

let known: Import[] | undefined;
const importable = (): Import[] => {
	const others = Object.entries(OF_OTHERS).flatMap(([from, names]) => names.map((name) => ({ name, from })));
	known ??= [...exportsOfPackage(), ...others];
	return known;
};

/** The exports of packages that a fragment uses and does not declare itself. */
export const namesToImport = (source: ts.SourceFile): Import[] => {
	const used = new Set<string>();
	const declared = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node)) (isDeclaredBy(node.parent, node) ? declared : used).add(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return importable().filter(({ name }) => used.has(name) && !declared.has(name));
};

const isDeclaredBy = (parent: ts.Node, name: ts.Identifier): boolean =>
	(ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isBindingElement(parent)) &&
	parent.name === name;
