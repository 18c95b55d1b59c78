import {
	type Credential,
	type CredentialKind,
	type End,
	type EndKind,
	type Right,
	rankOf,
	type Undo,
} from "./beliefs.ts";

const SIGNED_IN: EndKind[] = [
	"ban",
	"remove",
	"end-sessions",
	"reset-factor",
	"reset-password",
	"accept",
	"restore-ending",
];

/** What ends a credential for good: docs/administration.md, "When rights end". */
const FOR_GOOD: Record<CredentialKind, EndKind[]> = {
	password: ["remove", "new-password"],
	link: SIGNED_IN,
	challenge: SIGNED_IN,
	session: SIGNED_IN,
	token: SIGNED_IN,
	device: SIGNED_IN,
	key: ["remove", "accept", "demote"],
};

/** What ends it until it is undone. */
const FOR_A_WHILE: Record<CredentialKind, EndKind[]> = {
	password: ["ban", "suspend", "methods"],
	link: ["suspend"],
	challenge: ["suspend", "methods"],
	session: ["suspend", "methods", "factor"],
	token: ["suspend", "methods", "factor"],
	device: ["suspend", "factor"],
	key: ["ban", "suspend", "factor"],
};

const isAbout = (end: End, { person }: Credential): boolean =>
	end.tenant === person.tenant && (end.person === null || end.person === person);

/**
 * Whether a credential is from before an end: its request began before, or used one from before that ended, too.
 *
 * Some sessions go on after an end: the kept one, and all after a lower role. What such a session made is from before if its request
 * last read the session before the end was decided. One that reads it later, or again, acts with what the session may do since, as a
 * request that begins then, whenever its first byte arrived.
 */
const isFromBefore = (credential: Credential, end: End): boolean => {
	if (end.kept === credential || isOfKept(credential, end)) return false;
	const { by, presented } = credential;
	if (presented === undefined ? credential.began < end.began : presented < end.decided) return true;
	return by !== null && FOR_GOOD[by.kind].includes(end.kind) && isFromBefore(by, end);
};

/** The kept session goes on, and with it what it makes of itself: a token that signs in to it, and the session after a change. */
const isOfKept = ({ kind, by }: Credential, end: End): boolean =>
	by !== null && (kind === "token" || kind === "session") && (by === end.kept || isOfKept(by, end));

const isUndone = (end: End, undos: Undo[], before: number): boolean =>
	undos.some(
		({ kinds, tenant, person, began, answered }) =>
			kinds.includes(end.kind) &&
			tenant === end.tenant &&
			person === end.person &&
			began < before &&
			(answered === null || answered > end.began),
	);

type Known = { ends: End[]; undos: Undo[] };

/** The ends that a right did not survive, seen from a request that last did something at `worked`. */
export const endsOf = ({ credential, role }: Right, { ends, undos }: Known, worked: number): End[] =>
	ends.filter((end) => {
		if (!isAbout(end, credential) || end.answered > worked) return false;
		if (end.kind === "role") return rankOf(end.role ?? "owner") < rankOf(role) && !isUndone(end, undos, worked);
		if (end.kind === "factor" && credential.person.hasTriedFactor) return false;
		if (FOR_GOOD[credential.kind].includes(end.kind)) return isFromBefore(credential, end);
		return FOR_A_WHILE[credential.kind].includes(end.kind) && !isUndone(end, undos, worked);
	});
