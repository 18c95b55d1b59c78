import { decodeJwt, decodeProtectedHeader } from "jose";

/** Claims and header fields that identify someone or something. The rest of a payload describes them. */
const NAMING = ["iss", "aud", "sub", "azp", "client_id", "sid", "jti", "tenant_id", "email", "updateTo"];

/** The identifiers in the claims of signed tokens, by kind of token. */
export const tokenClaims = (tokens: Iterable<string>): string[] =>
	[...tokens].flatMap((token) => {
		const { kid, typ, alg } = decodeProtectedHeader(token);
		const claims = decodeJwt(token);
		const kind = kindOf(typ ?? "", alg ?? "", claims);
		const named = NAMING.filter((name) => claims[name] !== undefined);
		return [...(kid ? ["kid"] : []), ...named].map((name) => `claim ${kind}: ${name}`);
	});

const kindOf = (typ: string, alg: string, claims: Record<string, unknown>): string => {
	if (typ === "at+jwt") return "access token";
	if (typ !== "") return typ;
	if (alg.startsWith("HS")) return "mail token";
	return "acr" in claims ? "ID token" : "session token";
};
