import { EVERY_TENANT } from "./change-log.ts";

/** A change counts for this long after it was last seen. Copies are younger. In milliseconds. */
export const REMEMBERED = 600_000;
/** Above it, a process remembers tenants instead of their users. */
const MOST = 100_000;

/** Separates a tenant from a user. No id contains it. */
const SEPARATOR = "\n";
const nameOf = (tenantId: string, userId: string): string => `${tenantId}${SEPARATOR}${userId}`;
const tenantOf = (name: string): string => name.slice(0, name.indexOf(SEPARATOR));

/** A user, or a tenant with all of its users. */
export type Change = [tenantId: string, userId: string | null];

/** The users and tenants that changed not long ago, in bounded memory. */
export const rememberChanges = (most = MOST) => {
	/** when each was last seen, the oldest first */
	const users = new Map<string, number>();
	const tenants = new Map<string, number>();

	const add = (known: Map<string, number>, name: string, at: number): void => {
		// at the end again, also if it is known
		known.delete(name);
		known.set(name, at);
	};
	const forgetOld = (known: Map<string, number>, now: number): void => {
		for (const [name, at] of known) {
			if (now - at <= REMEMBERED) return;
			known.delete(name);
		}
	};
	const shrink = (now: number): void => {
		for (const name of users.keys()) {
			if (users.size <= most) return;
			users.delete(name);
			// longer than the user's own, never shorter
			add(tenants, tenantOf(name), now);
		}
	};

	return {
		add: (changes: Change[], now: number): void => {
			for (const [tenantId, userId] of changes)
				if (userId === null) add(tenants, tenantId, now);
				else add(users, nameOf(tenantId, userId), now);
			forgetOld(users, now);
			forgetOld(tenants, now);
			shrink(now);
		},
		has: (tenantId: string, userId: string): boolean =>
			tenants.has(EVERY_TENANT) || tenants.has(tenantId) || users.has(nameOf(tenantId, userId)),
		size: (): number => users.size + tenants.size,
	};
};
