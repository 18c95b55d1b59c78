import { type BetterAuthPlugin, generateId } from "better-auth";
import { createAuthEndpoint, createAuthMiddleware, sessionMiddleware } from "better-auth/api";
import { runWithTenant } from "better-auth-tenants";
import * as z from "zod";

type Row = Record<string, unknown>;
/** The database of a plugin with its own connection, below the engine and its tenants. */
export type RawDatabase = { query: (sql: string) => Promise<Row[]> };

const quoted = (value: string): string => `'${value.replaceAll("'", "''")}'`;

/** Notes, as an application might write them: a custom table with custom endpoints. */
const notes = (endpoints: BetterAuthPlugin["endpoints"], more: Partial<BetterAuthPlugin> = {}): BetterAuthPlugin => ({
	id: "notes",
	schema: {
		note: {
			fields: {
				text: { type: "string", required: true },
				userId: { type: "string", required: true, references: { model: "user", field: "id" } },
			},
		},
	},
	endpoints: endpoints ?? {},
	...more,
});

const noteBody = z.object({ noteId: z.string(), text: z.string() });
const noteQuery = z.object({ noteId: z.string() });
const named = (id: string) => [{ field: "id", value: id }];

/** Uses the engine's adapter only: nothing to find. */
export const soundNotes = () =>
	notes({
		addNote: createAuthEndpoint(
			"/notes/add",
			{ method: "POST", body: z.object({ text: z.string() }), use: [sessionMiddleware] },
			async (ctx) => {
				const data = { text: ctx.body.text, userId: ctx.context.session.user.id };
				return ctx.json(await ctx.context.adapter.create<Row>({ model: "note", data }));
			},
		),
		readNote: createAuthEndpoint(
			"/notes/read",
			{ method: "GET", query: noteQuery, use: [sessionMiddleware] },
			async (ctx) => {
				const note = await ctx.context.adapter.findOne<Row>({ model: "note", where: named(ctx.query.noteId) });
				if (!note) throw ctx.error("NOT_FOUND");
				return ctx.json(note);
			},
		),
		writeNote: createAuthEndpoint(
			"/notes/write",
			{ method: "POST", body: noteBody, use: [sessionMiddleware] },
			async (ctx) => {
				const { noteId, text } = ctx.body;
				const note = await ctx.context.adapter.update<Row>({
					model: "note",
					where: named(noteId),
					update: { text },
				});
				if (!note) throw ctx.error("NOT_FOUND");
				return ctx.json(note);
			},
		),
		countNotes: createAuthEndpoint("/notes/count", { method: "GET", use: [sessionMiddleware] }, async (ctx) =>
			ctx.json({ total: await ctx.context.adapter.count({ model: "note" }) }),
		),
	});

/** Reads any note that the query names. */
export const readsRaw = (raw: RawDatabase) =>
	notes({
		readNote: createAuthEndpoint(
			"/notes/read",
			{ method: "GET", query: noteQuery, use: [sessionMiddleware] },
			async (ctx) => {
				const [note] = await raw.query(`select * from "note" where "id" = ${quoted(ctx.query.noteId)}`);
				if (!note) throw ctx.error("NOT_FOUND");
				return ctx.json(note);
			},
		),
	});

/** Overwrites any note that the body names, and returns nothing about it. */
export const writesRaw = (raw: RawDatabase) =>
	notes({
		writeNote: createAuthEndpoint(
			"/notes/write",
			{ method: "POST", body: noteBody, use: [sessionMiddleware] },
			async (ctx) => {
				const { noteId, text } = ctx.body;
				await raw.query(`update "note" set "text" = ${quoted(text)} where "id" = ${quoted(noteId)}`);
				return ctx.json({ success: true });
			},
		),
	});

/** Caches the first response for everyone. */
export const cachesForAll = () => {
	let kept: Row[] | undefined;
	return notes({
		recentNotes: createAuthEndpoint("/notes/recent", { method: "GET", use: [sessionMiddleware] }, async (ctx) => {
			kept = kept?.length ? kept : await ctx.context.adapter.findMany<Row>({ model: "note" });
			return ctx.json(kept);
		}),
	});
};

/** Returns the newest session's token in a header. */
export const tellsTokenInHeader = (raw: RawDatabase) =>
	notes({
		lastSeen: createAuthEndpoint("/notes/last-seen", { method: "GET" }, async (ctx) => {
			const [session] = await raw.query(`select "token" from "session" order by "createdAt" desc limit 1`);
			ctx.setHeader("x-last-session", String(session?.token));
			return ctx.json({ success: true });
		}),
	});

/** Takes the tenant whose users it lists from the body. */
export const trustsBody = () =>
	notes({
		listPeople: createAuthEndpoint(
			"/notes/people",
			{ method: "POST", body: z.object({ workspaceTenant: z.string() }), use: [sessionMiddleware] },
			async (ctx) => {
				const { adapter } = ctx.context;
				const list = () => adapter.findMany<Row>({ model: "user" });
				const people = await runWithTenant(ctx.body.workspaceTenant, list);
				return ctx.json(people.map(({ name }) => name));
			},
		),
	});

/** Redirects to a page with the name of any user, in any tenant. */
export const redirectsWithName = (raw: RawDatabase) =>
	notes({
		greet: createAuthEndpoint("/notes/greet/:userId", { method: "GET" }, async (ctx) => {
			const [user] = await raw.query(`select "name" from "user" where "id" = ${quoted(ctx.params.userId)}`);
			throw ctx.redirect(`/welcome?name=${encodeURIComponent(String(user?.name))}`);
		}),
	});

/** Adds the number of all notes to every response. */
export const countsInHook = (raw: RawDatabase) =>
	notes(
		{
			status: createAuthEndpoint("/notes/status", { method: "GET", use: [sessionMiddleware] }, async (ctx) =>
				ctx.json({ status: "fine" }),
			),
		},
		{
			hooks: {
				after: [
					{
						matcher: ({ path }) => path === "/notes/status",
						handler: createAuthMiddleware(async (ctx) => {
							const [counted] = await raw.query(`select count(*) as "total" from "note"`);
							return ctx.json({ status: "fine", total: Number(counted?.total) });
						}),
					},
				],
			},
		},
	);

/** Reveals whether an address is taken in any tenant. */
export const tellsWhatIsTaken = (raw: RawDatabase) =>
	notes({
		isTaken: createAuthEndpoint(
			"/notes/is-taken",
			{ method: "POST", body: z.object({ email: z.string() }) },
			async (ctx) => {
				const found = await raw.query(`select "id" from "user" where "email" = ${quoted(ctx.body.email)}`);
				return ctx.json({ taken: found.length > 0 });
			},
		),
	});

/** Creates a note in the caller's tenant that belongs to any user the body names. */
export const pointsAcross = (raw: RawDatabase) =>
	notes({
		giveNote: createAuthEndpoint(
			"/notes/give",
			{ method: "POST", body: z.object({ userId: z.string(), text: z.string() }), use: [sessionMiddleware] },
			async (ctx) => {
				const { userId, text } = ctx.body;
				const row = [generateId(32), text, userId, String(ctx.context.session.session.tenantId)];
				await raw.query(
					`insert into "note" ("id", "text", "userId", "tenantId") values (${row.map(quoted).join(", ")})`,
				);
				return ctx.json({ success: true });
			},
		),
	});

/** Stores its lines in a table that the engine does not know. */
export const keepsOwnTable = (raw: RawDatabase) =>
	notes({
		addLine: createAuthEndpoint(
			"/notes/add-line",
			{ method: "POST", body: z.object({ text: z.string() }), use: [sessionMiddleware] },
			async (ctx) => {
				await raw.query(`create table if not exists "line" ("text" varchar(100))`);
				await raw.query(`insert into "line" ("text") values (${quoted(ctx.body.text)})`);
				return ctx.json({ success: true });
			},
		),
		listLines: createAuthEndpoint("/notes/lines", { method: "GET", use: [sessionMiddleware] }, async (ctx) =>
			ctx.json(await raw.query(`select * from "line"`)),
		),
	});

/** Deletes all notes of all tenants. */
export const deletesEverywhere = (raw: RawDatabase) =>
	notes({
		clear: createAuthEndpoint("/notes/clear", { method: "POST", use: [sessionMiddleware] }, async (ctx) => {
			await raw.query(`delete from "note"`);
			return ctx.json({ success: true });
		}),
	});
