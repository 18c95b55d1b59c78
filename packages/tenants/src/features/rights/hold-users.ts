import type { Where } from "@better-auth/core/db/adapter";
import type { UserGuardParts } from "../../scope/compose/companion.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { EPOCH, ended, type Row } from "./epoch.ts";
import { actorConditions, actorsIn, isLate, keyOf, type RequestRights, see } from "./request-rights.ts";

/** Tables that name a user and are no way in. Sessions have a rule of their own: they carry the epoch. */
const NO_WAY_IN = new Set([
	"session",
	"member",
	"invitation",
	"team",
	"teamMember",
	"organization",
	"organizationRole",
	"subscription",
]);

/**
 * Tables whose rows belong to nobody, and still need the rights of whoever acts: codes and links, invitations, rules of a tenant.
 */
const NAMES_NOBODY = new Set(["verification", "tenantInvitation", "tenantPolicy"]);

/** To delete a row of these needs the rights, too. Codes and invitations are deleted when they are used. */
const DECIDED_BY_ACTORS = new Set(["tenantPolicy", "ssoProvider", "user"]);

/** Columns that say how often a credential was used. A write of only these opens no way in. */
const COUNTERS = new Set(["lastRequest", "requestCount", "remaining", "lastRefillAt", "counter", "updatedAt"]);

/** Operators of conditions that name rows. */
const NAMING = new Set(["eq", "in"]);

export type Query = { model: string; where?: Where[] | undefined };

type Parts = Pick<UserGuardParts, "pin" | "inTransaction" | "transaction" | "linksOf">;

/** Runs writes while the users whose rights they need keep the epoch that the request saw first. */
export const createHold = (methods: ScopedMethods, { pin, inTransaction, transaction, linksOf }: Parts) => {
	const { isBound, neededFor, isDecided } = createNeeds({ pin, linksOf });

	/**
	 * Throws unless the user has the epoch that the request saw first, and whoever acts also what starts no epoch: their role, and
	 * their API key. Locks the row until the transaction ends.
	 */
	const hold = async (rights: RequestRights, id: string): Promise<void> => {
		const key = keyOf(pin.current(), id);
		if (!rights.seen.has(key)) {
			const row = await methods.findOne<Row>({ model: "user", where: [{ field: "id", value: id }] });
			// the key of an organization, or a user who is gone
			if (!row) return assertNoActor(rights, key);
			see(rights, pin.current(), row);
		}
		const sight = rights.seen.get(key);
		if (!sight || isLate(rights, sight)) throw ended();
		// an UPDATE locks in every database and reads the newest row, which a SELECT of MySQL does not
		const held = await methods.updateMany({
			model: "user",
			where: [{ field: "id", value: id }, { field: EPOCH, value: sight.epoch }, ...actorConditions(rights, key, sight)],
			update: { [EPOCH]: sight.epoch },
		});
		if (held === 0) throw ended();
	};

	const inHold = async <Result>(
		rights: RequestRights | undefined,
		needed: string[],
		write: (inside: ScopedMethods) => Promise<Result>,
	): Promise<Result> => {
		if (!rights || needed.length === 0) return write(methods);
		// the methods inside are guarded, too: they come back here, in the transaction
		if (!inTransaction()) return transaction((inside) => write(inside));
		for (const id of needed) await hold(rights, id);
		return write(methods);
	};

	return {
		isBound,
		/** Locks the users as whom the request acts, except one. For a transaction. */
		holdActors: async (rights: RequestRights, except?: string): Promise<void> => {
			for (const id of actorsIn(rights, pin.current())) if (keyOf(pin.current(), id) !== except) await hold(rights, id);
		},
		/** Writes a way in, in a transaction that holds the users that it needs. Other writes run as they are. */
		holding: async <Result>(
			rights: RequestRights | undefined,
			query: Query,
			data: Row,
			write: (inside: ScopedMethods) => Promise<Result>,
		): Promise<Result> => inHold(rights, rights ? neededFor(rights, query, data) : [], write),
		/**
		 * Deletes a user, a way in, a rule or an identity provider, in a transaction that holds whoever acts. Other rows are deleted as
		 * they are.
		 */
		holdingActors: async <Result>(
			rights: RequestRights | undefined,
			query: Query,
			write: (inside: ScopedMethods) => Promise<Result>,
		): Promise<Result> => inHold(rights, rights && isDecided(query) ? actorsIn(rights, pin.current()) : [], write),
	};
};

/** Whose rights a write needs. */
const createNeeds = ({ pin, linksOf }: Pick<Parts, "pin" | "linksOf">) => {
	/**
	 * Whether the request needs the rights of this user. Not if it created the user, nor if server code or an administrator acts on
	 * someone else: their own rights count then.
	 */
	const isBound = ({ seen, actors }: RequestRights, key: string): boolean =>
		!seen.get(key)?.isNew && (actors.has(key) || !pin.isServerCode());

	/** The users whose rights a write of a way in needs: those that it names, and those as whom the request acts. */
	const neededFor = (rights: RequestRights, { model, where = [] }: Query, data: Row): string[] => {
		const { key, fields } = linksOf(model);
		if (NO_WAY_IN.has(key) || (fields.length === 0 && !NAMES_NOBODY.has(key))) return [];
		if (Object.keys(data).every((field) => COUNTERS.has(field))) return [];
		const named = [
			...fields.map((field) => data[field]),
			...where.filter((one) => fields.includes(one.field) && (one.operator ?? "eq") === "eq").map(({ value }) => value),
		].filter((value) => value != null);
		return (
			[...new Set([...named.map(String), ...actorsIn(rights, pin.current())])]
				.filter((id) => isBound(rights, keyOf(pin.current(), id)))
				// one order, so that two writes do not wait for each other
				.sort()
		);
	};

	/** Whether somebody decides about a deletion. Not if it names neither a row nor a user: plugins delete what expired. */
	const isDecided = ({ model, where = [] }: Query): boolean => {
		const { key, fields } = linksOf(model);
		if (DECIDED_BY_ACTORS.has(key)) return true;
		if (NO_WAY_IN.has(key) || fields.length === 0) return false;
		const naming = new Set(["id", ...fields]);
		return where.some(({ field, operator = "eq" }) => NAMING.has(operator) && naming.has(field));
	};

	return { isBound, neededFor, isDecided };
};

const assertNoActor = ({ actors }: RequestRights, key: string): void => {
	if (actors.has(key)) throw ended();
};
