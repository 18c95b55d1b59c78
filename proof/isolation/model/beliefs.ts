import type { Cookies } from "./http.ts";

/** What the model believes about one session. */
export type Session = {
	tenant: Tenant;
	person: Person;
	token: string;
	cookies: Cookies;
	live: boolean;
	/** created after its user became an admin */
	admin: boolean;
};

/** One user of one tenant. The same slot in another tenant has the same email, username, phone and subject. */
export type Person = {
	tenant: Tenant;
	slot: number;
	userId: string;
	email: string;
	/** null: no sign-in by password */
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

/** A tenant. The platform, for requests without a tenant, is one of them and never ends. */
export type Tenant = {
	serial: number;
	id: string;
	slug: string;
	/** planted in every text that users and operators fill */
	canary: string;
	alive: boolean;
	people: Map<number, Person>;
	/** the tag of its tokens; the platform's have none */
	tag: string | null;
	/** its own credentials for social sign-ins, with a version */
	config: { version: number } | null;
};
