import type { SecretConfig } from "@better-auth/core";
import type { OAuth2Tokens } from "@better-auth/core/oauth2";
import { generateRandomString, symmetricDecrypt, symmetricEncrypt } from "better-auth/crypto";
import * as z from "zod";
import { sha256Text } from "../../lib/sha256.ts";
import type { FlowBinding } from "./flow-binding.ts";

/** Seconds that a browser has to follow one redirect. */
const MAX_AGE = 60;
/** A text column of MySQL has 65,535 bytes. */
const MAX_SEALED = 50_000;

/** What the callback host received from the provider. */
export type HandedOver = {
	/** null if the provider gave none */
	tokens: OAuth2Tokens | null;
	/** whether the provider refused the client's own credentials */
	refusesClient: boolean;
	/** the name that Apple sends with the first sign-in, as JSON */
	user: string | null;
};

/** The stored state of a flow, as the engine writes it. */
const begunState = z.looseObject({
	oauthState: z.string(),
	expiresAt: z.number(),
	serverContext: z.looseObject({}),
});

const handedState = begunState.extend({
	serverContext: z.looseObject({ handOver: z.object({ hash: z.string(), sealed: z.string() }) }),
});

const date = z.coerce.date().optional();
const contents = z.object({
	state: z.string(),
	tokens: z.looseObject({ accessTokenExpiresAt: date, refreshTokenExpiresAt: date }).nullable(),
	refusesClient: z.boolean(),
	user: z.string().nullable(),
});

type Key = string | SecretConfig;

/**
 * The state of a flow once its code was redeemed. It continues at the tenant's host for a minute, with a new random code. The
 * tokens are encrypted with the tenant's key and name their state, so they cannot be opened in another row. The code verifier
 * is gone: nothing can be redeemed with this state.
 */
export const handOverState = async (
	value: string,
	flow: FlowBinding,
	received: HandedOver,
	key: Key,
): Promise<{ code: string; value: string; expiresAt: Date }> => {
	const begun = begunState.parse(JSON.parse(value));
	const code = generateRandomString(43);
	const expiresAt = Math.min(begun.expiresAt, Date.now() + MAX_AGE * 1000);
	const handOver = { hash: await sha256Text(code), sealed: await seal(received, begun.oauthState, key) };
	const serverContext = { ...begun.serverContext, tenantAuth: flow, handOver };
	return {
		code,
		value: JSON.stringify({ ...begun, codeVerifier: "", expiresAt, serverContext }),
		expiresAt: new Date(expiresAt),
	};
};

/** Leaves out what does not fit: first the provider's whole response, which repeats the tokens, then the tokens. */
const seal = async (received: HandedOver, state: string, key: Key): Promise<string> => {
	const { raw: _response, ...tokens } = received.tokens ?? {};
	const smaller = [received, ...(received.tokens ? [{ ...received, tokens }] : [])];
	for (const some of smaller) {
		const sealed = await symmetricEncrypt({ key, data: JSON.stringify({ ...some, state }) });
		if (sealed.length <= MAX_SEALED) return sealed;
	}
	return symmetricEncrypt({ key, data: JSON.stringify({ ...received, tokens: null, user: null, state }) });
};

/** Opens what was handed over with this code. Null for another code, and for a state that was not handed over. */
export const openHandOver = async (value: string, code: string, key: Key): Promise<HandedOver | null> => {
	try {
		const { oauthState, serverContext } = handedState.parse(JSON.parse(value));
		const { hash, sealed } = serverContext.handOver;
		if ((await sha256Text(code)) !== hash) return null;
		const { state, tokens, ...more } = contents.parse(JSON.parse(await symmetricDecrypt({ key, data: sealed })));
		return state === oauthState ? { ...more, tokens: tokens as OAuth2Tokens | null } : null;
	} catch {
		return null;
	}
};
