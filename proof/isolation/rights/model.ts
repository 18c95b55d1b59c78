import type { Roll } from "../model/roll.ts";
import type { Credential, CredentialKind, End, Person, Tenant, Undo } from "./beliefs.ts";

/** The newest of each kind: what ended long ago is not tried for ever. */
const KEPT: Record<CredentialKind, number> = {
	password: 3,
	link: 0,
	challenge: 2,
	session: 6,
	key: 5,
	token: 2,
	device: 2,
};

export type Model = ReturnType<typeof createModel>;

/**
 * What one round knows: users with their credentials, and what ended. It changes by responses only, except for roles: see
 * actions/roles.ts.
 */
export const createModel = (tenants: Tenant[]) => {
	const ends: End[] = [];
	const undos: Undo[] = [];
	/** users with a request under way, so that ends hit them often */
	const busy: Person[] = [];
	let names = 0;
	const people = (): Person[] => tenants.flatMap((tenant) => tenant.people.filter(({ isGone }) => !isGone));
	return {
		tenants,
		ends,
		undos,
		busy,
		nextName: (): number => ++names,
		anyTenant: (roll: Roll): Tenant => roll.oneOf(tenants as [Tenant, ...Tenant[]]),
		anyPerson: (roll: Roll): Person | null => {
			const [wanted, others] = [busy.filter(({ isGone }) => !isGone), people()];
			return roll.pick(wanted.length > 0 && roll.chance(75) ? wanted : others) ?? null;
		},
		of: (person: Person, kind: CredentialKind): Credential[] => person.credentials.filter((one) => one.kind === kind),
		/** the newest is the likeliest, and old ones are tried as well */
		pick: (person: Person, kind: CredentialKind, roll: Roll): Credential | null => {
			const found = person.credentials.filter((one) => one.kind === kind);
			return (roll.chance(55) ? found.at(-1) : roll.pick(found)) ?? null;
		},
		add: (credential: Credential): void => {
			const { credentials } = credential.person;
			credentials.push(credential);
			const same = credentials.filter(({ kind }) => kind === credential.kind);
			const [oldest] = same;
			if (oldest && same.length > KEPT[credential.kind]) credentials.splice(credentials.indexOf(oldest), 1);
		},
	};
};
