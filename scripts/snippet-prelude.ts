import ts from "typescript";
import { exportsOf, findDeclaration, openTexts, publishedEntries, readSource } from "./public-docs.ts";

const NAME = "better-auth-tenants";

/** The application that snippets are about: the names that a reader has and a fragment does not declare. */
export const PRELUDE: Record<string, string> = {
	"auth.ts": `import { betterAuth } from "better-auth";
import { admin } from "better-auth/plugins";
import { withTenants } from "${NAME}";
import { tenantAdmin, tenantInvitations, tenantRoles } from "${NAME}/admin";
import { tenantLifecycle } from "${NAME}/lifecycle";
import { tenantPolicy } from "${NAME}/policy";

export const auth = betterAuth({ plugins: withTenants({}, [tenantLifecycle(), admin({ ...tenantRoles }), tenantAdmin(), tenantInvitations({ acceptURL: "https://app.example.com", sendInvitation: () => {} }), tenantPolicy()]) });
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
import type { Redis } from "ioredis";
import type { Pool } from "pg";
import type { SecondaryStorage } from "better-auth";
import type { AuditSink, CopyStore, ImportedUsers, MoveCollision, TenantAuthOptions } from "${NAME}";
import type { TenantIsolationSignedUpUser } from "${NAME}/testing";
import type { TenantTokenOptions } from "${NAME}/tokens";
import type {
	tenantAdminClient,
	tenantAuthClient,
	tenantInvitationsClient,
	tenantLifecycleClient,
	tenantPolicyClient,
} from "${NAME}/client";
import type { auth as application } from "./auth.ts";

declare global {
	const auth: typeof application;
	const authClient: ReturnType<typeof createAuthClient<{ plugins: [ReturnType<typeof tenantAuthClient>, ReturnType<typeof tenantLifecycleClient>, ReturnType<typeof tenantAdminClient>, ReturnType<typeof tenantInvitationsClient>, ReturnType<typeof tenantPolicyClient>] }>>;
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
	const database: Pool;
	const client: Redis;
	const userIds: string[];
	const users: { email: string; name: string }[];
	const session: { user: { tenantId: string } };
	const request: Request;
	const payload: Record<string, unknown>;
	const options: TenantTokenOptions;
	const error: { code?: string; body?: { code?: string } };
	const collisions: MoveCollision[];
	const refused: ImportedUsers["refused"];
	const logger: { info(fields: object, text: string): void };
	const internalAdapter: { listUsers(limit: number): Promise<object[]> };
	const yourStorage: SecondaryStorage;
	const store: CopyStore;
	const yourStore: { pagesOfNames(prefix: string): Promise<string[][]> };
	const serve: (server: { fetch: (request: Request) => Promise<Response> }) => void;
	const saveAuditEntry: AuditSink;
	const saveCursor: (cursor: string | null) => void;
	const findConnections: () => Promise<object[]>;
	const deleteProvider: () => Promise<void>;
	const askForAnotherOwner: () => void;
	const record: string;
	const retryLater: () => void;
	const showNotFound: () => void;
	const showSignIn: () => void;
	const showSuspended: () => void;
	const showSecondFactor: () => void;
	const sendMail: (to: string, subject: string, text: string) => Promise<void>;
	const signUpByMagicLink: (tenantId: string, email: string) => Promise<TenantIsolationSignedUpUser>;
	const makeAdmin: (userId: string | undefined) => Promise<void>;
}
`,
};

/** What snippets with elements have beside the prelude. They are compiled in packages/react. */
export const REACT_PRELUDE: Record<string, string> = {
	"auth-client.ts": `import { createAuthClient } from "better-auth/react";
import { tenantAuthClient } from "${NAME}/client";

export const authClient = createAuthClient({ plugins: [tenantAuthClient()] });
`,
};

/** Names that a fragment with elements gets from elsewhere than other fragments. */
const OF_REACT: Record<string, string[]> = {
	"./auth-client.ts": ["authClient"],
	"better-auth/react": ["createAuthClient"],
	react: ["useState"],
};

/** Names of other packages that fragments use without an import. */
const OF_OTHERS: Record<string, string[]> = {
	"@better-auth/redis-storage": ["redisStorage"],
	"better-auth": ["betterAuth", "SecondaryStorage"],
	"better-auth/adapters/drizzle": ["drizzleAdapter"],
	"better-auth/api": ["createAuthEndpoint"],
	"better-auth/client": ["createAuthClient"],
	"better-auth/client/plugins": ["inferAdditionalFields"],
	"better-auth/crypto": ["hashPassword", "verifyPassword"],
	"better-auth/plugins": ["admin", "organization", "twoFactor", "username"],
	vitest: ["it"],
};

const TYPES_OF_OTHERS = new Set(["SecondaryStorage"]);

type Import = { name: string; from: string; isType: boolean };

/** What the published entries of the packages export. Of a name that two entries export, the first one counts. */
const exportsOfPackages = (): Import[] => {
	const open = openTexts(readSource);
	const all = publishedEntries().flatMap(({ name: from, file: entry }) =>
		exportsOf(open, entry).map(({ name, declared, file }) => {
			const declaration = findDeclaration(open, file, declared);
			return { name, from, isType: declaration !== null && ts.isTypeAliasDeclaration(declaration) };
		}),
	);
	return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
};

let known: Import[] | undefined;
const importable = (hasElements: boolean): Import[] => {
	known ??= [...exportsOfPackages(), ...namesOf(OF_OTHERS)];
	if (!hasElements) return known;
	const own = namesOf(OF_REACT);
	return [...own, ...known.filter(({ name }) => !own.some((one) => one.name === name))];
};

const namesOf = (packages: Record<string, string[]>): Import[] =>
	Object.entries(packages).flatMap(([from, names]) =>
		names.map((name) => ({ name, from, isType: TYPES_OF_OTHERS.has(name) })),
	);

/** The exports of packages that a fragment uses and does not declare itself. */
export const namesToImport = (source: ts.SourceFile, hasElements: boolean): Import[] => {
	const used = new Set<string>();
	const declared = new Set<string>();
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node)) (isDeclaredBy(node.parent, node) ? declared : used).add(node.text);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return importable(hasElements).filter(({ name }) => used.has(name) && !declared.has(name));
};

const isDeclaredBy = (parent: ts.Node, name: ts.Identifier): boolean =>
	(ts.isVariableDeclaration(parent) || ts.isFunctionDeclaration(parent) || ts.isBindingElement(parent)) &&
	parent.name === name;
