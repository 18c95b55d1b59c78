import type { Browser } from "test-kit/browser";

export type Tenant = { id: string; people: Person[] };

export type Person = {
	tenant: Tenant;
	id: string;
	email: string;
	/** the first role, and every request that began to change it, see actions/roles.ts */
	roles: RoleChange[];
	isGone: boolean;
	/** the secret of an authenticator app, as far as it is known */
	totp: string | null;
	/** whether somebody tried to set up a second factor */
	hasTriedFactor: boolean;
	credentials: Credential[];
};

export const ROLES = ["member", "admin", "owner"] as const;
export type Role = (typeof ROLES)[number];
/** `writtenAt` is null if it was not committed, so far or at all. */
export type RoleChange = { role: Role; writtenAt: () => number | null };
export const rankOf = (role: Role): number => ROLES.indexOf(role);

export type CredentialKind = "password" | "link" | "challenge" | "session" | "key" | "token" | "device";

/** What a user presents. `secret` is the password, the key, the token or the code. */
export type Credential = {
	kind: CredentialKind;
	person: Person;
	/** when the request began that made it */
	began: number;
	/** when that request last read the session with which it made it; not known for what no session made */
	presented?: number;
	/** the credential of that request */
	by: Credential | null;
	secret: string;
	browser: Browser | null;
};

/** What ends rights. `methods` and `factor` are rules of a policy. */
export type EndKind =
	| "ban"
	| "remove"
	| "end-sessions"
	| "reset-factor"
	| "new-password"
	| "reset-password"
	| "accept"
	| "demote"
	| "role"
	| "suspend"
	| "restore-ending"
	| "methods"
	| "factor";

export type End = {
	kind: EndKind;
	tenant: Tenant;
	/** null for an end of everybody in the tenant */
	person: Person | null;
	began: number;
	/** when its request replaced what it ends, at the latest when it was answered */
	decided: number;
	answered: number;
	/** the credential that goes on */
	kept: Credential | null;
	/** the role that is left */
	role: Role | null;
};

/** What gives a right back. */
export type Undo = { kinds: EndKind[]; tenant: Tenant; person: Person | null; began: number; answered: number | null };

/** What a request needs: a credential, and for some a role. */
export type Right = { credential: Credential; role: Role };
