import { createHash } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware, sessionMiddleware } from "better-auth/api";
import * as z from "zod";

type Row = Record<string, unknown>;
/** A connection of the application beside Better Auth, below the tenants. */
type Query = (sql: string) => Promise<Row[]>;

/** A mistake that applications make, and what the isolation test must say about it. */
export type PlantedLeak = {
	mistake: string;
	plant: (query: Query) => BetterAuthPlugin;
	/** paths that the application has beside its own, and that show the leak */
	also?: string[];
	endpoint: string;
	found: RegExp;
};

const text = (value: string): string => `'${value.replaceAll("'", "''")}'`;
const signedIn = { use: [sessionMiddleware] };

/** A plugin of the application. */
const application = (
	endpoints: NonNullable<BetterAuthPlugin["endpoints"]>,
	more: Partial<BetterAuthPlugin> = {},
): BetterAuthPlugin => ({ id: "application", endpoints, ...more });

export const PLANTED_LEAKS: PlantedLeak[] = [
	{
		mistake: "reads a user by id without the tenant",
		plant: (query) =>
			application({
				profile: createAuthEndpoint("/profile/:userId", { method: "GET", ...signedIn }, async (ctx) => {
					const [user] = await query(`select "name", "image" from "user" where "id" = ${text(ctx.params.userId)}`);
					if (!user) throw ctx.error("NOT_FOUND");
					return ctx.json(user);
				}),
			}),
		endpoint: "GET /profile/:userId",
		found: /reveals B's user\.name/,
	},
	{
		mistake: "lists the sessions of all tenants",
		plant: (query) =>
			application({
				online: createAuthEndpoint("/online", { method: "GET", ...signedIn }, async (ctx) =>
					ctx.json(await query(`select "userId", "createdAt" from "session" order by "createdAt" desc`)),
				),
			}),
		endpoint: "GET /online",
		found: /reveals B's session\.userId|reveals B's .*\.userId|reveals B's user\.id/,
	},
	{
		mistake: "changes a user by id without the tenant",
		plant: (query) =>
			application({
				rename: createAuthEndpoint(
					"/profile/rename",
					{ method: "POST", body: z.object({ userId: z.string(), name: z.string() }), ...signedIn },
					async (ctx) => {
						const { userId, name } = ctx.body;
						await query(`update "user" set "name" = ${text(name)} where "id" = ${text(userId)}`);
						return ctx.json({ success: true });
					},
				),
			}),
		endpoint: "POST /profile/rename",
		found: /changes user\.name of B/,
	},
	{
		mistake: "caches a profile by email",
		plant: () => {
			const cache = new Map<string, { name: string }>();
			return application({
				card: createAuthEndpoint("/card", { method: "GET", ...signedIn }, async (ctx) => {
					const { email, name } = ctx.context.session.user;
					const card = cache.get(email) ?? { name };
					cache.set(email, card);
					return ctx.json(card);
				}),
			});
		},
		endpoint: "GET /card",
		found: /reveals [AB]'s user\.name|reveals the platform's user\.name|reveals platform's user\.name/,
	},
	{
		mistake: "keeps drafts in a store under a key without the tenant",
		plant: () => {
			const store = new Map<string, string>();
			return application({
				saveDraft: createAuthEndpoint(
					"/draft/save",
					{ method: "POST", body: z.object({ text: z.string() }), ...signedIn },
					async (ctx) => {
						store.set(`draft:${ctx.context.session.user.email}`, ctx.body.text);
						return ctx.json({ success: true });
					},
				),
				readDraft: createAuthEndpoint("/draft/read", { method: "GET", ...signedIn }, async (ctx) =>
					ctx.json({ text: store.get(`draft:${ctx.context.session.user.email}`) ?? null }),
				),
			});
		},
		endpoint: "GET /draft/read",
		found: /reveals a value that only its owner knows/,
	},
	{
		mistake: "says whether a user exists in another tenant",
		plant: (query) =>
			application({
				assign: createAuthEndpoint(
					"/task/assign",
					{ method: "POST", body: z.object({ userId: z.string() }), ...signedIn },
					async (ctx) => {
						const [user] = await query(`select "tenantId" from "user" where "id" = ${text(ctx.body.userId)}`);
						if (!user) throw ctx.error("NOT_FOUND");
						if (user.tenantId !== ctx.context.session.session.tenantId) throw ctx.error("FORBIDDEN");
						return ctx.json({ success: true });
					},
				),
			}),
		endpoint: "POST /task/assign",
		found: /returns a different response \(status\)/,
	},
	{
		mistake: "accepts the session of another tenant on a socket",
		plant: (query) =>
			application({
				connect: createAuthEndpoint(
					"/socket/connect",
					{ method: "POST", body: z.object({ sessionToken: z.string() }) },
					async (ctx) => {
						const [user] = await query(
							`select "user"."name" from "session" join "user" on "user"."id" = "session"."userId" where "token" = ${text(ctx.body.sessionToken)}`,
						);
						if (!user) throw ctx.error("UNAUTHORIZED");
						return ctx.json({ welcome: user.name });
					},
				),
			}),
		endpoint: "POST /socket/connect",
		found: /reveals B's user\.name/,
	},
	{
		mistake: "accepts the invitation of another tenant",
		plant: (query) =>
			application({
				join: createAuthEndpoint(
					"/invitation/join",
					{ method: "POST", body: z.object({ token: z.string() }) },
					async (ctx) => {
						const [token = ""] = ctx.body.token.split("~");
						const stored = text(createHash("sha256").update(token).digest("base64url"));
						const [found] = await query(`select "id" from "tenantInvitation" where "token" = ${stored}`);
						if (!found) throw ctx.error("NOT_FOUND");
						await query(`update "tenantInvitation" set "status" = 'accepted' where "token" = ${stored}`);
						return ctx.json({ success: true });
					},
				),
			}),
		also: ["/tenant/invitation/create"],
		endpoint: "POST /invitation/join",
		found: /changes tenantInvitation\.status of B/,
	},
	{
		mistake: "counts the users of all tenants",
		plant: (query) =>
			application({
				seats: createAuthEndpoint("/seats", { method: "GET", ...signedIn }, async (ctx) => {
					const [counted] = await query(`select count(*) as "used" from "user"`);
					return ctx.json({ used: Number(counted?.used) });
				}),
			}),
		endpoint: "GET /seats",
		found: /returns a different response \(body\.used\)/,
	},
	{
		mistake: "fills a profile from an account with the same email, in a hook",
		plant: (query) =>
			application(
				{},
				{
					hooks: {
						after: [
							{
								matcher: ({ path }) => path === "/update-user",
								handler: createAuthMiddleware(async (ctx) => {
									const user = ctx.context.session?.user;
									if (!user) return;
									const [other] = await query(
										`select "name" from "user" where "email" = ${text(user.email)} and "id" <> ${text(user.id)}`,
									);
									if (!other) return;
									const name = text(`${other.name} (2)`);
									await query(`update "user" set "name" = ${name} where "id" = ${text(user.id)}`);
								}),
							},
						],
					},
				},
			),
		also: ["/update-user"],
		endpoint: "POST /update-user",
		found: /copies a value of another tenant to user\.name/,
	},
];
