import type { GenericEndpointContext } from "@better-auth/core";
import { getCurrentAdapter, runWithTransaction, tryGetCurrentAuthEndpointContext } from "@better-auth/core/context";
import type { DBAdapter, Where } from "@better-auth/core/db/adapter";
import { getAuthoritativeSessionFromCtx } from "better-auth/api";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import { EPOCH, newEpoch } from "../rights/epoch.ts";
import { endUnprovenAccess, type Unproven } from "./end-unproven-access.ts";
import { type Knowledge, knowledge } from "./request-knowledge.ts";
import { isMarked } from "./sign-up-cookie.ts";
import { noPhoneNumber } from "./ways-in.ts";

type Row = Record<string, unknown>;
type Query = { model: string; where: Where[]; update: Row };

type Parts = {
	pin: TenantContext;
	isUsers: (model: string) => boolean;
	isAccounts: (model: string) => boolean;
	/** the scoped adapter, which is created later */
	adapter: () => DBAdapter;
};

/**
 * Ends what a user had before their email was verified, unless whoever verifies it has also set the password. Somebody else may
 * have signed up with the address. It is done where the user is written, so that it applies to every endpoint that verifies an
 * email. Server code outside of an endpoint is trusted. Costs two queries and a session check per verified email.
 */
export const guardProofs = ({ pin, isUsers, isAccounts, adapter }: Parts) => {
	/** The users among those of a query whose email is not verified, and who may have a password of somebody else. */
	const unprovenOf = async (
		ctx: GenericEndpointContext,
		known: Knowledge,
		{ where, model }: Query,
		methods: ScopedMethods,
	): Promise<Unproven[]> => {
		const unverified: Where = { field: "emailVerified", value: false, connector: "AND" };
		const found = await methods.findMany<Unproven>({ model, where: [...where, unverified] });
		const ended: Unproven[] = [];
		for (const user of found) {
			const hash = await passwordOf(methods, user.id);
			const hadPassword = hash !== null || known.deletedAccounts;
			if (hadPassword && !(await isOwnProof(ctx, user.id, { hash, known }))) ended.push(user);
		}
		return ended;
	};

	/** Verifies emails. The user is written first, because that locks the row. */
	const verify = async <Result>(
		methods: ScopedMethods,
		query: Query,
		write: (inside: ScopedMethods, query: Query) => Promise<Result>,
	): Promise<Result> => {
		const ctx = pin.current() === PLATFORM ? undefined : runningEndpoint();
		const known = knowledge();
		if (!ctx || !known || known.isEnding) return write(methods, query);
		const ended = await unprovenOf(ctx, known, query, methods);
		if (ended.length === 0) return write(methods, query);
		const epoch = EPOCH in (ctx.context.tables.user?.fields ?? {}) ? { [EPOCH]: newEpoch() } : {};
		const update = { ...query.update, ...noPhoneNumber(ctx), ...epoch };
		known.isEnding = true;
		try {
			return await runWithTransaction(adapter(), async () => {
				const result = await write(await getCurrentAdapter(adapter()), { ...query, update });
				for (const user of ended) await endUnprovenAccess(ctx, user, known.accounts);
				known.removedPassword = true;
				return result;
			});
		} finally {
			known.isEnding = false;
		}
	};

	return (methods: ScopedMethods): ScopedMethods => ({
		...methods,
		create: (query) => {
			const created = methods.create(query);
			return (isAccounts(query.model) ? owned(created) : created) as never;
		},
		update: <Found>(query: Parameters<ScopedMethods["update"]>[0]) => {
			if (query.update.emailVerified === true && isUsers(query.model))
				return verify(methods, query, (inside, changed) => inside.update<Found>(changed));
			const updated = methods.update<Found>(query);
			return isAccounts(query.model) ? owned(updated) : updated;
		},
		updateMany: (query) =>
			query.update.emailVerified === true && isUsers(query.model)
				? verify(methods, query, (inside, changed) => inside.updateMany(changed))
				: methods.updateMany(query),
		delete: async (query) => {
			if (isAccounts(query.model)) await noteDeletion();
			return methods.delete(query);
		},
		deleteMany: async (query) => {
			if (isAccounts(query.model)) await noteDeletion();
			return methods.deleteMany(query);
		},
	});
};

/** Inside of an endpoint the context is complete. The engine's type says that everything in it is optional. */
const runningEndpoint = () => tryGetCurrentAuthEndpointContext() as GenericEndpointContext | undefined;

const passwordOf = async (methods: ScopedMethods, userId: string): Promise<string | null> => {
	const where: Where[] = [
		{ field: "userId", value: userId },
		{ field: "providerId", value: "credential" },
	];
	return (await methods.findOne<{ password?: string | null }>({ model: "account", where }))?.password ?? null;
};

/** Remembers an account that this request created or renewed. */
const owned = async <Row>(writing: Promise<Row>): Promise<Row> => {
	const row = await writing;
	const id = row && typeof row === "object" && "id" in row ? row.id : null;
	if (id != null) knowledge()?.accounts.add(String(id));
	return row;
};

const noteDeletion = async (): Promise<void> => {
	const known = knowledge();
	if (known) known.deletedAccounts = true;
};

/**
 * Whether whoever verifies an email also set its password: the request contains the password, its browser sent the password
 * before, or it has a session of the user. Costs the lookup of a session.
 */
const isOwnProof = async (
	ctx: GenericEndpointContext,
	userId: string,
	{ hash, known }: { hash: string | null; known: Knowledge },
): Promise<boolean> => {
	if (hash !== null && (known.hashes.has(hash) || (await isMarked(ctx, hash)))) return true;
	const { session: before } = ctx.context;
	const found = await getAuthoritativeSessionFromCtx(ctx).catch(() => null);
	// the endpoint reads it by itself, after it has changed the user
	ctx.context.session = before;
	return found?.user.id === userId && found.session.impersonatedBy == null;
};
