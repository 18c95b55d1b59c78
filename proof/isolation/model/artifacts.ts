import type { Session, Tenant } from "./beliefs.ts";
import type { Cookies } from "./http.ts";
import type { Roll } from "./roll.ts";

/** Anything a tenant issued that grants access, identifies or proves something. */
export type ArtifactKind =
	| "session"
	| "reset"
	| "verify"
	| "change"
	| "magic"
	| "otp:sign-in"
	| "otp:email-verification"
	| "otp:forget-password"
	| "phone"
	| "phone-reset"
	| "challenge"
	| "second-factor"
	| "one-time"
	| "user"
	| "account"
	| "organization"
	| "invitation"
	| "flow";

export type Artifact = {
	kind: ArtifactKind;
	tenant: Tenant;
	slot: number;
	/** the token, code or id itself */
	value: string;
	/** the email or phone number it was sent to, or the email it is about */
	to: string;
	/** a change of email: the new one */
	updateTo?: string;
	/** the browser it belongs to */
	cookies?: Cookies;
	session?: Session;
	/** the user, if it is not about an email */
	userId?: string;
	/** not used yet, as far as the model knows */
	usable: boolean;
	/** wrong codes for the same address; the engine allows three */
	attempts: number;
	at: number;
};

const KEPT = 300;
/** The engine's shortest-lived token is valid for three minutes. */
const FRESH_MS = 100_000;
/** The provider's codes are valid for a minute. */
const FRESH_FLOW_MS = 40_000;

const freshFor = ({ kind }: Artifact): number => (kind === "flow" ? FRESH_FLOW_MS : FRESH_MS);

export type Ring = ReturnType<typeof createRing>;

/** Keeps the latest artifacts of each kind, including used and revoked ones and those of deleted tenants. */
export const createRing = () => {
	const byKind = new Map<ArtifactKind, Artifact[]>();
	const of = (kind: ArtifactKind): Artifact[] => {
		const kept = byKind.get(kind) ?? [];
		byKind.set(kind, kept);
		return kept;
	};
	return {
		add: (artifact: Omit<Artifact, "usable" | "attempts" | "at">): Artifact => {
			const kept = of(artifact.kind);
			const added: Artifact = { ...artifact, usable: true, attempts: 0, at: Date.now() };
			kept.push(added);
			if (kept.length > KEPT) kept.shift();
			return added;
		},
		any: (kind: ArtifactKind, roll: Roll): Artifact | null => roll.pick(of(kind)) ?? null,
		/** one of the latest unused ones whose tenant exists */
		usable: (kind: ArtifactKind, roll: Roll, suits: (artifact: Artifact) => boolean = () => true): Artifact | null => {
			const now = Date.now();
			const found = of(kind)
				.slice(-25)
				.filter((one) => one.usable && one.tenant.alive && now - one.at < freshFor(one) && suits(one));
			return roll.pick(found) ?? null;
		},
		/** the pending code of an address */
		pending: (kind: ArtifactKind, tenant: Tenant, to: string): Artifact | null =>
			of(kind).findLast((one) => one.usable && one.tenant === tenant && one.to === to) ?? null,
		/** the engine keeps one code per address and purpose: a new one replaces the old */
		replace: (kind: ArtifactKind, tenant: Tenant, to: string): void => {
			for (const one of of(kind)) if (one.tenant === tenant && one.to === to) one.usable = false;
		},
	};
};

/**
 * The owner of every long random text. Rows determine it with certainty. For the rest, the tenant whose response first
 * contains it owns it, and a second tenant that sees it has found a leak. Bounded: the oldest are dropped.
 */
export const createOwners = (kept = 300_000) => {
	const owners = new Map<string, number>();
	const set = (text: string, serial: number): void => {
		owners.set(text, serial);
		if (owners.size > kept) {
			const oldest = owners.keys().next().value;
			if (oldest !== undefined) owners.delete(oldest);
		}
	};
	return {
		ownerOf: (text: string): number | undefined => owners.get(text),
		/** Returns the other owner, if there already is one. */
		claim: (text: string, serial: number): number | null => {
			const known = owners.get(text);
			if (known === undefined) set(text, serial);
			return known === undefined || known === serial ? null : known;
		},
	};
};
export type Owners = ReturnType<typeof createOwners>;
