import type { Person, Role } from "../beliefs.ts";

/** Follows a change of a role. Of two at the same time, nobody knows which came last. */
export const changingRole = (person: Person, role: Role) => {
	let mine = 0;
	const isAlone = (): boolean => person.roleChanges === mine;
	return {
		isAlone,
		begin: (): void => {
			mine = ++person.roleChanges;
		},
		settle: (): void => {
			person.role = isAlone() ? role : null;
		},
	};
};
