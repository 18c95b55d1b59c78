import { verifyTenantToken } from "better-auth-tenants/tokens";
import { pick, type Visitor } from "test-kit/load/visitor";

/** How often an application can verify a token itself, on one thread. */
export type TokenRate = {
	perSecond: number;
	/** requests to the service for its keys */
	keyRequests: number;
	/** seconds that a token is valid */
	lifetime: number;
};

/** Gets a token of the jwt plugin from the service, and verifies it as an application does. */
export const measureTokens = async (
	person: Visitor,
	{ origin, tenantId, seconds }: { origin: string; tenantId: string; seconds: number },
): Promise<TokenRate> => {
	const token = pick((await person.send("/token")).json, "token");
	if (typeof token !== "string") throw new Error("the service issued no token");
	const claims: unknown = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
	const [issuedAt, expiresAt] = [Number(pick(claims, "iat")), Number(pick(claims, "exp"))];
	const options = {
		tenantId,
		jwksUrl: `${origin}/api/auth/jwks`,
		verifyOptions: { issuer: String(pick(claims, "iss")), audience: String(pick(claims, "aud")) },
	};
	const keyRequests = await countFetches(async () => {
		for (let call = 0; call < 100; call += 1) await verifyTenantToken(token, options);
	});
	const began = performance.now();
	let verified = 0;
	while (performance.now() < began + seconds * 1000) {
		await verifyTenantToken(token, options);
		verified += 1;
	}
	const perSecond = Math.round(verified / ((performance.now() - began) / 1000));
	return { perSecond, keyRequests, lifetime: expiresAt - issuedAt };
};

const countFetches = async (work: () => Promise<void>): Promise<number> => {
	const { fetch } = globalThis;
	let count = 0;
	globalThis.fetch = (...call) => {
		count += 1;
		return fetch(...call);
	};
	try {
		await work();
	} finally {
		globalThis.fetch = fetch;
	}
	return count;
};
