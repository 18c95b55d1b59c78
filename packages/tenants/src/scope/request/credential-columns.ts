import type { BetterAuthPlugin, GenericEndpointContext } from "@better-auth/core";
import type { CredentialSource } from "../../endpoints/endpoint.ts";
import { sha256Text } from "../../lib/sha256.ts";

/** A column that can contain one of these values. Its row belongs to the value's tenant. */
type CredentialColumn = { model: string; field: string; values: string[] };
export type ReadColumns = (ctx: GenericEndpointContext) => CredentialColumn[] | Promise<CredentialColumn[]>;

/** The credentials that requests to certain endpoints carry besides a session. */
export const CREDENTIAL_COLUMNS: Record<CredentialSource, ReadColumns> = {
	// <credential id>.<secret>
	scim: (ctx) => [{ model: "scimManagedCredential", field: "credentialId", values: texts(bearer(ctx)?.split(".")[0]) }],
	"one-time-token": (ctx) => verification("one-time-token:", ctx.body?.token),
	device: (ctx) => [
		{ model: "deviceCode", field: "deviceCode", values: texts(ctx.body?.device_code) },
		{ model: "deviceCode", field: "userCode", values: spellings(ctx.query?.user_code) },
	],
	"oauth-provider": (ctx) => oauthColumns(ctx),
	stripe: (ctx) => stripeColumns(ctx),
};

/**
 * Reads API keys from the plugin's headers, and from the body if server code verifies a key. Calling the plugin's
 * matchers reveals the headers.
 */
export const apiKeyColumns = (plugins: readonly BetterAuthPlugin[]): ReadColumns => {
	const plugin = plugins.find(({ id }) => id === "api-key");
	if (!plugin) return () => [];
	const headers = new Set<string>();
	const probe = { headers: { get: (name: string) => void headers.add(name) } };
	for (const { matcher } of plugin.hooks?.before ?? []) {
		try {
			matcher(probe as never);
		} catch {
			// the application's own getter requires a real request; such keys need a tenant hint
		}
	}
	return async (ctx) => {
		const sent = [...headers].map((name) => (ctx.headers ?? ctx.request?.headers)?.get(name));
		// the endpoint that verifies keys has no path, so only server code can call it
		const isServerCode = !/^\/./.test(ctx.path ?? "");
		const keys = texts(...sent, isServerCode ? ctx.body?.key : undefined);
		return [{ model: "apikey", field: "key", values: [...keys, ...(await Promise.all(keys.map(sha256Text)))] }];
	};
};

/** Verifications are stored under their name, or under its hash if the application configures that. */
const verification = async (prefix: string, name: unknown): Promise<CredentialColumn[]> => {
	const names = texts(name).flatMap((text) => [prefix + text]);
	const hashedNames = await Promise.all(texts(name).map(async (text) => prefix + (await sha256Text(text))));
	return [
		{
			model: "verification",
			field: "identifier",
			values: [...names, ...hashedNames, ...(await Promise.all(names.map(sha256Text)))],
		},
	];
};

const oauthColumns = async (ctx: GenericEndpointContext): Promise<CredentialColumn[]> => {
	const token = texts(bearer(ctx), ctx.body?.token);
	const claimed = [...token, ...texts(ctx.query?.id_token_hint, ctx.body?.id_token_hint)].flatMap(clientsOfToken);
	const clients = texts(ctx.body?.client_id, ctx.query?.client_id, basicUser(ctx), ...claimed);
	return [
		{ model: "oauthClient", field: "clientId", values: clients },
		{ model: "oauthAccessToken", field: "token", values: await Promise.all(token.map(sha256Text)) },
	];
};

/** The clients that a JWT claims to be issued to. Not verified. */
const clientsOfToken = (token: string): string[] => {
	const claims = parsed(decoded(token.split(".")[1] ?? ""));
	return texts(claims?.azp, claims?.client_id, claims?.aud);
};

const stripeColumns = async (ctx: GenericEndpointContext): Promise<CredentialColumn[]> => {
	const event = parsed((await ctx.request?.clone().text()) ?? "");
	const data = event?.data as { object?: Record<string, unknown> } | undefined;
	const { id, metadata, customer, subscription } = data?.object ?? {};
	const named = (metadata ?? {}) as Record<string, unknown>;
	const payers = texts(customer);
	return [
		{ model: "subscription", field: "id", values: texts(named.subscriptionId) },
		{ model: "subscription", field: "stripeSubscriptionId", values: texts(id, subscription) },
		{ model: "user", field: "stripeCustomerId", values: payers },
		{ model: "organization", field: "stripeCustomerId", values: payers },
	];
};

/** Users type a code as they see it. The plugin also accepts dashes and lower case. */
const spellings = (code: unknown): string[] =>
	texts(code).flatMap((text) => [...new Set([text, text.replace(/[^a-zA-Z0-9]/g, "").toUpperCase()])]);

const authorization = (ctx: GenericEndpointContext): string =>
	(ctx.headers ?? ctx.request?.headers)?.get("authorization") ?? "";

const bearer = (ctx: GenericEndpointContext): string | undefined => /^bearer +(\S+)$/i.exec(authorization(ctx))?.[1];

/** The client id is form-encoded (RFC 6749, section 2.3.1). */
const basicUser = (ctx: GenericEndpointContext): string | null => {
	const [user = ""] = decoded(/^basic +(\S+)$/i.exec(authorization(ctx))?.[1] ?? "").split(":");
	return new URLSearchParams(`id=${user}`).get("id");
};

/** Keeps texts that are not empty and not longer than any valid credential. */
const texts = (...values: unknown[]): string[] =>
	values.filter((value): value is string => typeof value === "string" && value !== "" && value.length <= 8_192);

const decoded = (base64: string): string => {
	try {
		return atob(base64.replace(/-/g, "+").replace(/_/g, "/"));
	} catch {
		return "";
	}
};

const parsed = (json: string): Record<string, unknown> | null => {
	try {
		const value: unknown = JSON.parse(json);
		return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
	} catch {
		return null;
	}
};
