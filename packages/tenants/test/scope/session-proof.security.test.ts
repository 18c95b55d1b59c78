import type { GenericEndpointContext } from "@better-auth/core";
import { describe, expect, it } from "vitest";
import { readTag } from "../../src/scope/pin/tag.ts";
import {
	assertMarkedAlike,
	carriesImpersonatedSession,
	carriesLiveImpersonation,
	isImpersonatedSession,
	isSessionToken,
	newImpersonationToken,
} from "../../src/scope/sessions/impersonated-session.ts";
import { newSessionToken, PROOF_MARKS, proofOf } from "../../src/scope/sessions/session-proof.ts";

const PROOFS = ["second-factor", "sso", "passkey", "impersonation", null] as const;

describe("the token of a session", () => {
	it("shows what the session has proven, and its tenant", () => {
		expect(PROOF_MARKS).toHaveLength(4);
		for (const tenantId of ["acme", "globex"])
			for (const proof of PROOFS) {
				const token = newSessionToken(tenantId, proof);
				expect([proofOf(token), readTag(token)?.tenantId]).toEqual([proof, tenantId]);
				expect(isSessionToken(token)).toBe(true);
				expect(isImpersonatedSession({ token })).toBe(false);
			}
	});

	it("shows nothing by a mark that stands elsewhere", () => {
		for (const mark of PROOF_MARKS) expect(proofOf(`${"a".repeat(32)}${mark}`)).toBeNull();
		expect(isSessionToken(`${"a".repeat(32)}factor-`)).toBe(false);
	});

	it("is told from other keys of the storage", () => {
		const random = "a".repeat(32);
		for (const token of [random, `${random}~YWNtZQ`, newImpersonationToken("acme")])
			expect(isSessionToken(token)).toBe(true);
		for (const key of ["", random.slice(1), `${random}a`, `other-${random}`, `${random}~`, `${random}~a b`])
			expect([key, isSessionToken(key)]).toEqual([key, false]);
	});
});

describe("the mark of an impersonated session", () => {
	it("goes with the operator, in the token and in the session", () => {
		const [plain, marked] = [newSessionToken("acme", null), newImpersonationToken("acme")];
		expect(() => assertMarkedAlike(marked, "operator")).not.toThrow();
		for (const nobody of [null, undefined]) {
			expect(() => assertMarkedAlike(plain, nobody)).not.toThrow();
			expect(() => assertMarkedAlike(marked, nobody)).toThrow("/tenant/impersonate only");
		}
		expect(() => assertMarkedAlike(plain, "operator")).toThrow("/tenant/impersonate only");
		expect(() => assertMarkedAlike(`x${marked}`, "operator")).toThrow("/tenant/impersonate only");
	});

	it("counts without the operator, and the operator without the mark", () => {
		const [plain, marked] = [newSessionToken("acme", null), newImpersonationToken("acme")];
		expect(isImpersonatedSession({ token: marked })).toBe(true);
		expect(isImpersonatedSession({ token: plain, operatorId: "operator" })).toBe(true);
		for (const session of [{ token: plain }, { token: `x${marked}` }, { token: 17 }, {}, null, undefined])
			expect(isImpersonatedSession(session)).toBe(false);
	});

	/** A request in a world where these sessions are live. */
	const requestWith = (headers: HeadersInit, live: string[] = [], sessionCookie: string | null = null) => {
		const asked: string[] = [];
		const findSession = async (token: string) => {
			asked.push(token);
			return live.includes(token) ? { session: { expiresAt: new Date(Date.now() + 60_000) } } : null;
		};
		const ctx = {
			headers: new Headers(headers),
			getCookie: () => sessionCookie,
			context: { authCookies: { sessionToken: { name: "session" } }, internalAdapter: { findSession } },
		};
		return { ctx: ctx as unknown as GenericEndpointContext, asked };
	};
	const token = newImpersonationToken("acme");
	const carries = (headers: HeadersInit, live?: string[], cookie?: string) =>
		carriesImpersonatedSession(requestWith(headers, live, cookie).ctx);

	// threat 95
	it("restricts a request that carries it in a header, however it is encoded", async () => {
		const twice = encodeURIComponent(encodeURIComponent(`Bearer ${token}`)).replace("impersonated", "%69mpersonated");
		for (const value of [token, `Bearer ${token}.signature`, encodeURIComponent(token), twice, `%zz${token}`])
			expect([value, await carries({ "x-any": value })]).toEqual([value, true]);
		for (const value of ["", "impersonated-", "%41", newSessionToken("acme", null)])
			expect([value, await carries({ "x-any": value })]).toEqual([value, false]);
		for (const name of ["referer", "origin", "user-agent"]) expect(await carries({ [name]: token })).toBe(false);
	});

	it("restricts a request by its session cookie, and by another cookie if the session is live", async () => {
		expect(await carries({}, [], token)).toBe(true);
		expect(await carries({}, [], `x${token}`)).toBe(false);
		expect(await carries({ cookie: `click=${token}` })).toBe(false);
		expect(await carries({ cookie: `click=${token}` }, [token])).toBe(true);
		expect(await carries({ cookie: `click=${newImpersonationToken("acme")}; other=${token}` }, [token])).toBe(true);
	});

	it("restricts a request with more tokens than are looked up", async () => {
		const many = (count: number) => Array.from({ length: count }, () => newImpersonationToken("acme")).join(" ");
		expect(await carries({ cookie: many(11) })).toBe(true);
		expect(await carries({ cookie: many(10) })).toBe(false);
	});

	it("opens something only in its own tenant, while it is live", async () => {
		const isLive = async (headers: HeadersInit, live: string[], tenantId = "acme") => {
			const { ctx, asked } = requestWith(headers, live);
			return [await carriesLiveImpersonation(ctx, tenantId), asked.length];
		};
		for (const name of ["cookie", "authorization"]) {
			expect(await isLive({ [name]: token }, [token])).toEqual([true, 1]);
			expect(await isLive({ [name]: token }, [])).toEqual([false, 1]);
			expect(await isLive({ [name]: token }, [token], "globex")).toEqual([false, 0]);
		}
		expect(await isLive({ "x-any": token }, [token])).toEqual([false, 0]);
		const others = Array.from({ length: 10 }, () => newImpersonationToken("acme")).join(" ");
		expect(await isLive({ cookie: `${others} ${token}` }, [token])).toEqual([false, 10]);
	});
});
