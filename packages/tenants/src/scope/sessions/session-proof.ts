import { generateRandomString } from "better-auth/crypto";
import type { SessionProof } from "../../endpoints/endpoint.ts";
import { withTag } from "../pin/tag.ts";

/**
 * The token of a session starts with what the session has proven, so a request shows it before any lookup and without a
 * column. A token with another mark is a different token and finds no session.
 */
const MARKS: Readonly<Record<SessionProof, string>> = {
	"second-factor": "factor-",
	sso: "sso-",
	passkey: "passkey-",
	impersonation: "admin-",
};

export const PROOF_MARKS: readonly string[] = Object.values(MARKS);

/** Creates the token of a session. */
export const newSessionToken = (tenantId: string, proof: SessionProof | null): string =>
	withTag((proof ? MARKS[proof] : "") + generateRandomString(32, "a-z", "A-Z", "0-9"), tenantId);

/** What the session of a token has proven besides a first factor. */
export const proofOf = (token: string): SessionProof | null => {
	for (const proof of Object.keys(MARKS) as SessionProof[]) if (token.startsWith(MARKS[proof])) return proof;
	return null;
};
