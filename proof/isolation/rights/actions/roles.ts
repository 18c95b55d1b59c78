import { type Person, type Role, type RoleChange, rankOf } from "../beliefs.ts";
import type { Ticket } from "../ticket.ts";

type Written = { role: Role; at: number };

const writtenIn = ({ roles }: Person): Written[] =>
	roles
		.flatMap(({ role, writtenAt }): Written[] => {
			const at = writtenAt();
			return at === null ? [] : [{ role, at }];
		})
		.sort((one, other) => one.at - other.at);

/** The role that was committed last before a time. */
export const roleOf = (person: Person, before = Number.POSITIVE_INFINITY): Role =>
	writtenIn(person).findLast(({ at }) => at < before)?.role ?? "member";

/**
 * Follows a change of a role. Whether it raised or lowered the role is decided by what was committed before it, not by what was
 * answered before it began: another change may have been committed already and be held since, without an answer. A credential from
 * between the two is from before neither.
 */
export const changingRole = (person: Person, role: Role) => {
	let mine: Ticket | null = null;
	const change: RoleChange = { role, writtenAt: () => mine && roleWrittenAt(mine) };
	/** What the role was when the request replaced it. If it did not replace it, everything that it was meanwhile. */
	const rolesBefore = (): Role[] => {
		const { began = 0 } = mine ?? {};
		const written = change.writtenAt();
		if (written !== null) return [roleOf(person, written)];
		const meanwhile = writtenIn(person).filter(({ at }) => at >= began);
		return [roleOf(person, began), ...meanwhile.map((one) => one.role)];
	};
	return {
		begin: (ticket: Ticket): void => {
			mine = ticket;
			person.roles.push(change);
		},
		isRaise: (): boolean => rolesBefore().every((before) => rankOf(before) < rankOf(role)),
		isLower: (): boolean => rolesBefore().every((before) => rankOf(before) > rankOf(role)),
	};
};

const roleWrittenAt = ({ effects }: Ticket): number | null =>
	effects.findLast(({ kind, table, columns }) => kind === "update" && table === "user" && columns.includes("role"))
		?.at ?? null;
