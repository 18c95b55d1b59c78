import type { Session, Tenant } from "./beliefs.ts";
import type { Cookies } from "./http.ts";
import type { Roll } from "./roll.ts";

/** Whatever a tenant ever handed out that opens, names or proves something. */
export type ArtefactKind =
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

export type Artefact = {
	kind: ArtefactKind;
	tenant: Tenant;
	slot: number;
	/** the token, code or id itself */
	value: string;
	/** the e-mail or phone number it was sent to, or the e-mail it is about */
	to: string;
	/** a change of e-mail: the new one */
	updateTo?: string;
	/** the browser it belongs to */
	cookies?: Cookies;
	session?: Session;
	/** the user it means, where it means no e-mail */
	userId?: string;
	/** nobody used it yet, as far as the model knows */
	usable: boolean;
	/** how often a wrong code was tried for the same address; the engine takes three */
	attempts: number;
	at: number;
};

const KEPT = 300;
/** The shortest-lived of the engine's tokens lives three minutes. */
const FRESH_MS = 100_000;
/** The provider's codes are good for a minute. */
const FRESH_FLOW_MS = 40_000;

const freshFor = ({ kind }: Artefact): number => (kind === "flow" ? FRESH_FLOW_MS : FRESH_MS);

export type Ring = ReturnType<typeof createRing>;

/** Keeps the latest artefacts of each kind, used and revoked ones too, also of tenants that are gone. */
export const createRing = () => {
	const byKind = new Map<ArtefactKind, Artefact[]>();
	const of = (kind: ArtefactKind): Artefact[] => {
		const kept = byKind.get(kind) ?? [];
		byKind.set(kind, kept);
		return kept;
	};
	return {
		add: (artefact: Omit<Artefact, "usable" | "attempts" | "at">): Artefact => {
			const kept = of(artefact.kind);
			const added: Artefact = { ...artefact, usable: true, attempts: 0, at: Date.now() };
			kept.push(added);
			if (kept.length > KEPT) kept.shift();
			return added;
		},
		any: (kind: ArtefactKind, roll: Roll): Artefact | null => roll.pick(of(kind)) ?? null,
		/** one of the latest that nobody used and whose tenant lives */
		usable: (kind: ArtefactKind, roll: Roll, suits: (artefact: Artefact) => boolean = () => true): Artefact | null => {
			const now = Date.now();
			const found = of(kind)
				.slice(-25)
				.filter((one) => one.usable && one.tenant.alive && now - one.at < freshFor(one) && suits(one));
			return roll.pick(found) ?? null;
		},
		/** the code that is open for an address */
		pending: (kind: ArtefactKind, tenant: Tenant, to: string): Artefact | null =>
			of(kind).findLast((one) => one.usable && one.tenant === tenant && one.to === to) ?? null,
		/** the engine keeps one code for an address and purpose: a new one replaces the old */
		replace: (kind: ArtefactKind, tenant: Tenant, to: string): void => {
			for (const one of of(kind)) if (one.tenant === tenant && one.to === to) one.usable = false;
		},
	};
};

/**
 * Whose every long random text is. Rows say it with certainty; for the rest, the tenant in whose answer it is first seen
 * owns it, and the second tenant that sees it has found a leak. Bounded: the oldest are forgotten.
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
		/** Answers the other owner, where there is one already. */
		claim: (text: string, serial: number): number | null => {
			const known = owners.get(text);
			if (known === undefined) set(text, serial);
			return known === undefined || known === serial ? null : known;
		},
	};
};
export type Owners = ReturnType<typeof createOwners>;
