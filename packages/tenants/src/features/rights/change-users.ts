import type { Where } from "@better-auth/core/db/adapter";
import type { UserGuardParts } from "../../scope/compose/companion.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { roleOf, TENANT_ROLES } from "../users/roles.ts";
import type { createDeviceCodes } from "./device-codes.ts";
import { API_KEYS_SINCE, EPOCH, ended, epochOf, newEpoch, type Row } from "./epoch.ts";
import type { createHold } from "./hold-users.ts";
import {
	actorConditions,
	actorsIn,
	isLate,
	keyOf,
	meets,
	own,
	ownRole,
	type RequestRights,
	see,
} from "./request-rights.ts";

export type Change = { model: string; where: Where[]; update: Row };

type Parts = Pick<UserGuardParts, "pin" | "inTransaction" | "transaction">;

type Hold = Pick<ReturnType<typeof createHold>, "isBound" | "holdActors">;

/** whether the row was written: MySQL has no RETURNING, and the engine returns the row also if it was not */
type IsWritten<Result> = (result: Result, isAsWritten: (row: Row) => boolean) => boolean;

/**
 * Changes users who still have the epoch that the request saw first. A ban starts a new epoch and a lower role ends API keys,
 * whoever writes it. A new epoch ends codes of devices, in its transaction.
 */
export const createUserChange = (
	methods: ScopedMethods,
	{ pin, inTransaction, transaction }: Parts,
	hold: Hold,
	codes: ReturnType<typeof createDeviceCodes>,
) => {
	const changeHeld = createHeldChange(methods, { pin }, hold);

	/** The one user that the conditions name, if it is known which. */
	const targetOf = (rights: RequestRights | undefined, where: Where[]): string | null => {
		const named = where.find(({ field, ...rest }) => (field === "id" || field === "email") && isEquality(rest));
		if (named?.field === "id") return String(named.value);
		const prefix = keyOf(pin.current(), "");
		for (const [key, { email }] of rights?.seen ?? [])
			if (named && key.startsWith(prefix) && email === named.value) return key.slice(prefix.length);
		return null;
	};

	return async <Result>(
		rights: RequestRights | undefined,
		query: Change,
		write: (query: Change, inside: ScopedMethods) => Promise<Result>,
		isWritten: IsWritten<Result>,
	): Promise<Result> => {
		const id = targetOf(rights, query.where);
		const key = id === null ? undefined : keyOf(pin.current(), id);
		const isOther = !rights || key === undefined || !hold.isBound(rights, key);
		const needsActors =
			rights !== undefined && isOther && actorsIn(rights, pin.current()).some((actor) => actor !== id);
		const ending = isEnd(rights, key, query.update) ? id : null;
		if (!inTransaction() && (needsActors || (ending !== null && codes.areUsed)))
			return transaction((inside) => write(query, inside));
		const result = await changeHeld(rights, { id, key }, query, (changed) => write(changed, methods), isWritten);
		if (ending !== null) await codes.end(ending);
		return result;
	};
};

/** Writes the change, under the conditions that the rights of the request ask for, and remembers it. */
const createHeldChange = (methods: ScopedMethods, { pin }: Pick<Parts, "pin">, { isBound, holdActors }: Hold) => {
	/** What the request knows about a user. Undefined if there is no such user. Costs one query at first sight. */
	const sightOf = async (rights: RequestRights, key: string, id: string) => {
		if (!rights.seen.has(key)) {
			const user = await methods.findOne<Row>({ model: "user", where: [{ field: "id", value: id }] });
			if (user) see(rights, pin.current(), user);
		}
		return rights.seen.get(key);
	};

	/** A user who is gone is not changed anyway. */
	const exists = async ({ model, where }: Change): Promise<boolean> =>
		(await methods.findOne({ model, where, select: ["id"] })) !== null;

	return async <Result>(
		rights: RequestRights | undefined,
		{ id, key }: { id: string | null; key: string | undefined },
		query: Change,
		write: (query: Change) => Promise<Result>,
		isWritten: IsWritten<Result>,
	): Promise<Result> => {
		const update = {
			...query.update,
			...(startsEpoch(query.update) ? { [EPOCH]: newEpoch() } : {}),
			...((await isDemotion(methods, id, query.update)) ? { [API_KEYS_SINCE]: new Date() } : {}),
		};
		if (!rights) return write({ ...query, update });
		if (id === null || key === undefined || !isBound(rights, key)) {
			// an administrator who changes someone else needs their own rights
			await holdActors(rights, key);
			const result = await write({ ...query, update });
			if (key !== undefined) remember(rights, key, update, result);
			return result;
		}
		const sight = await sightOf(rights, key, id);
		if (!sight) return write({ ...query, update });
		if (isLate(rights, sight)) throw ended();
		const conditions: Where[] = [
			{ field: EPOCH, value: sight.epoch, connector: "AND" },
			...actorConditions(rights, key, sight),
		];
		// by its id: the scoped adapter looks up a row that another column names, and forgets the other conditions
		const where: Where[] = [{ field: "id", value: id }, ...query.where, ...conditions];
		const result = await write({ ...query, where, update });
		const left = [
			...(EPOCH in update ? [{ field: EPOCH, value: epochOf(update) }] : []),
			...conditions.filter(({ field }) => !(field in update)),
		];
		const wasWritten = isWritten(result, (row) => meets(row, left));
		if (!wasWritten && (rights.actors.has(key) || (await exists(query)))) throw ended();
		remember(rights, key, update, result);
		return result;
	};
};

/**
 * Whether a change lowers a role. One query per change of a role, in the transaction that the guard of owners has opened, and one
 * more for a lower role: the user is locked before its time is taken, so that no API key is written later and counts as younger.
 */
const isDemotion = async (
	methods: Pick<ScopedMethods, "findOne" | "updateMany">,
	id: string | null,
	{ role }: Row,
): Promise<boolean> => {
	if (role === undefined || role === "owner") return false;
	const where = id === null ? null : [{ field: "id", value: id }];
	const user = where && (await methods.findOne<Row>({ model: "user", where }));
	if (!user) return true;
	if (!isLower(role, user.role)) return false;
	const same = { role: user.role as string | null };
	await methods.updateMany({ model: "user", where: [...where, { field: "role", value: same.role }], update: same });
	return true;
};

/** Whether a change starts an epoch. One that the user has already is a lock, see hold-actors.ts. */
const isEnd = (rights: RequestRights | undefined, key: string | undefined, update: Row): boolean =>
	startsEpoch(update) || (update[EPOCH] !== undefined && update[EPOCH] !== (key && rights?.seen.get(key)?.epoch));

/** What the request knows next: the epoch that it set, and the user that its sessions now have. */
const remember = (rights: RequestRights, key: string, change: Row, result: unknown): void => {
	const epoch = change[EPOCH];
	if (typeof epoch === "string" && epoch !== rights.seen.get(key)?.epoch) own(rights, key, epoch);
	if (change.role !== undefined) ownRole(rights, key, change.role);
	// it ended the API key with which it acts itself
	if (API_KEYS_SINCE in change) rights.byKey.delete(key);
	if (result && typeof result === "object" && EPOCH in result) rights.users.set(key, result as Row);
	else rights.users.delete(key);
};

const isEquality = ({ operator, connector }: Pick<Where, "operator" | "connector">): boolean =>
	(operator ?? "eq") === "eq" && connector !== "OR";

const isLower = (role: unknown, than: unknown): boolean =>
	TENANT_ROLES.indexOf(roleOf(role)) < TENANT_ROLES.indexOf(roleOf(than));

const startsEpoch = (update: Row): boolean => update.banned === true && update[EPOCH] === undefined;
