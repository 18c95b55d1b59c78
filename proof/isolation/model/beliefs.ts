import type { Cookies } from "./http.ts";

/** What the model believes about one session. */
export type Session = {
	tenant: Tenant;
	person: Person;
	token: string;
	cookies: Cookies;
	live: boolean;
	/** made after its user became an admin */
	admin: boolean;
};

/** One person of one tenant. The same slot in another tenant is a namesake: same e-mail, username, phone and subject. */
export type Person = {
	tenant: Tenant;
	slot: number;
	userId: string;
	email: string;
	/** null: nobody can sign in by password */
	password: string | null;
	verified: boolean;
	banned: boolean;
	twoFactor: boolean;
	phone: boolean;
	/** the row of a linked account */
	linkedAccount: string | null;
	sessions: Session[];
	organizations: string[];
};

/** A tenant; the platform, where requests go that name none, is one more of them and never ends. */
export type Tenant = {
	serial: number;
	id: string;
	slug: string;
	/** planted in every text that people and operators fill */
	canary: string;
	alive: boolean;
	people: Map<number, Person>;
	/** how its tokens say their tenant; the platform's say none */
	tag: string | null;
	/** its own credentials for social sign-ins, as often as they were changed */
	config: { version: number } | null;
};
