import { randomBytes } from "node:crypto";
import { PLATFORM } from "better-auth-tenants/src/scope/pin/platform.ts";
import { createRing, type Ring } from "./artifacts.ts";
import type { Person, Session, Tenant } from "./beliefs.ts";
import type { Roll } from "./roll.ts";

/** Slots 0 to 5 sign up by email, and 0 is the admin. The others only use social sign-in. */
export const SLOTS = 6;
export const SOCIAL_SLOTS = [6, 7] as const;

export const emailsOf = (slot: number): [string, string] => [
	`person${slot}@shared.example`,
	`person${slot}@other.example`,
];
export const usernameOf = (slot: number): string => `person_${slot}`;
export const phoneOf = (slot: number): string => `+1555010${slot}`;
export const subjectOf = (slot: number): string => `subject-${slot}`;

export type Model = ReturnType<typeof createModel>;

/** The expected world. It only changes by the responses to operations. */
export const createModel = (limits: { tenants: number }) => {
	const platform = newTenant(0, PLATFORM, "platform");
	platform.tag = null;
	let serials = 0;
	let passwords = 0;
	const tenants: Tenant[] = [platform];
	const gone: Tenant[] = [];
	const ring: Ring = createRing();
	const anyTenant = (roll: Roll): Tenant => roll.pick(tenants) ?? platform;
	const anyPerson = (roll: Roll, suits: (person: Person) => boolean = () => true): Person | null => {
		// a few random attempts are enough, and cost the same for two and two thousand tenants
		for (let attempt = 0; attempt < 6; attempt++) {
			const person = roll.pick([...anyTenant(roll).people.values()]);
			if (person && suits(person)) return person;
		}
		return null;
	};
	return {
		limits,
		platform,
		tenants,
		/** deleted tenants, whose artifacts must be invalid everywhere */
		gone,
		ring,
		/** operations that were sent */
		operations: 0,
		nextSerial: () => ++serials,
		nextPassword: (tenant: Tenant, slot: number) => `password-${tenant.serial}-${slot}-${++passwords}`,
		anyTenant,
		realTenant: (roll: Roll): Tenant | null => roll.pick(tenants.slice(1)) ?? null,
		otherThan: (tenant: Tenant, roll: Roll): Tenant | null =>
			roll.pick(tenants.filter((other) => other !== tenant)) ?? null,
		anyPerson,
		/** a user with a live session */
		signedIn: (roll: Roll, suits: (person: Person) => boolean = () => true): Session | null => {
			const person = anyPerson(roll, (one) => one.sessions.length > 0 && suits(one));
			return person ? (roll.pick(person.sessions) ?? null) : null;
		},
		/** an admin's session created with the admin role */
		adminOf: (tenant: Tenant): Session | null => tenant.people.get(0)?.sessions.find(({ admin }) => admin) ?? null,
		/** the user with the same name in another tenant */
		namesake: (person: Person, roll: Roll): Person | null => {
			const found = tenants.flatMap((tenant) =>
				tenant === person.tenant ? [] : (tenant.people.get(person.slot) ?? []),
			);
			return roll.pick(found) ?? null;
		},
	};
};

export const newTenant = (serial: number, id: string, slug: string): Tenant => ({
	serial,
	id,
	slug,
	canary: `cn${serial}x${randomBytes(6).toString("hex")}`,
	alive: true,
	people: new Map(),
	tag: Buffer.from(id).toString("base64url"),
	config: null,
});

/** How an operation names its tenant: not at all on the platform. */
export const hintOf = (tenant: Tenant): string | undefined => (tenant.tag === null ? undefined : tenant.id);

export const claimOn = (tenant: Tenant, slot: number): string => `${tenant.serial}/${slot}`;
export const claimOf = ({ tenant, slot }: Person): string => claimOn(tenant, slot);

export const endSession = (session: Session): void => {
	session.live = false;
	const { sessions } = session.person;
	const at = sessions.indexOf(session);
	if (at >= 0) sessions.splice(at, 1);
};

export const endSessions = (person: Person, except?: Session): void => {
	for (const session of [...person.sessions]) if (session !== except) endSession(session);
};

export const endPerson = (person: Person): void => {
	endSessions(person);
	person.tenant.people.delete(person.slot);
};
