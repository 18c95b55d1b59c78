import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../error-codes.ts";
import type { RawAdapter } from "../scope/raw-adapter.ts";
import { SSO_ERROR_CODES } from "../sso-error-codes.ts";
import { type OauthConfig, type OauthConfigRow, readScopes, showOauthConfig } from "./oauth-config.ts";
import type { Opened, Seal, SealedPlace } from "./seal.ts";

export type OauthConfigInput = {
	providerId: string;
	clientId: string;
	clientSecret: string;
	options: Record<string, unknown> | null;
	scopes: string[] | null;
	redirectURI: string | null;
	enabled: boolean;
};

/** One enabled config, for building a provider. Never shown, never logged. */
export type OpenedConfig = {
	providerId: string;
	/** identifies the config and its last write; encrypting it again with another secret does not change this */
	version: string;
	/** null if they cannot be decrypted */
	credentials: {
		clientId: string;
		clientSecret: string;
		options: Record<string, unknown>;
		scopes: string[] | null;
		redirectURI: string | null;
	} | null;
};

export type OauthConfigStore = ReturnType<ReturnType<typeof createOauthConfigStores>>;

/**
 * Creates stores of OAuth configs. Each is bound to one tenant, so forgetting the tenant does not compile. `hasSso` says
 * whether the SSO plugin is installed: its providers and these share one namespace of provider ids in accounts.
 */
export const createOauthConfigStores = (adapter: RawAdapter, seal: Seal, hasSso: boolean) => (tenantId: string) => {
	const model = "tenantOauthConfig";
	const ofTenant: Where = { field: "tenantId", value: tenantId };
	const ofPair = (providerId: string): Where[] => [
		ofTenant,
		{ field: "providerId", value: providerId, connector: "AND" },
	];
	const place = (providerId: string, field: SealedPlace["field"]): SealedPlace => ({ tenantId, providerId, field });
	const find = (providerId: string) => adapter.findOne<OauthConfigRow>({ model, where: ofPair(providerId) });

	/**
	 * An SSO provider with this id may exist from before such ids were reserved. Its accounts would match the social
	 * ones.
	 */
	const assertNotSso = async (providerId: string): Promise<void> => {
		const found =
			hasSso && (await adapter.findOne({ model: "ssoProvider", where: ofPair(providerId), select: ["id"] }));
		if (found) throw APIError.from("CONFLICT", SSO_ERROR_CODES.SSO_PROVIDER_EXISTS);
	};

	const open = async (row: OauthConfigRow, field: SealedPlace["field"], sealed: string): Promise<Opened> => {
		const opened = await seal.open(place(row.providerId, field), sealed);
		if (opened === null) throw APIError.from("INTERNAL_SERVER_ERROR", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_UNREADABLE);
		return opened;
	};

	const openAll = async (row: OauthConfigRow): Promise<OpenedConfig> => {
		const secret = await open(row, "clientSecret", row.clientSecret);
		const credentials = {
			clientId: (await open(row, "clientId", row.clientId)).value,
			clientSecret: secret.value,
			options: row.options
				? (JSON.parse((await open(row, "options", row.options)).value) as Record<string, unknown>)
				: {},
			scopes: readScopes(row),
			redirectURI: row.redirectURI ?? null,
		};
		return { providerId: row.providerId, version: `${row.id}:${secret.write}`, credentials };
	};

	const update = async (id: string, data: Record<string, unknown>): Promise<OauthConfigRow | null> =>
		adapter.update<OauthConfigRow>({
			model,
			where: [
				{ field: "id", value: id },
				{ ...ofTenant, connector: "AND" },
			],
			update: data,
		});

	return {
		/** Creates the config of this tenant and provider, or replaces it. */
		upsert: async (input: OauthConfigInput): Promise<OauthConfig> => {
			const now = new Date();
			const { providerId } = input;
			await assertNotSso(providerId);
			const write = crypto.randomUUID();
			const close = (field: SealedPlace["field"], value: string) =>
				seal.close(place(providerId, field), { value, write });
			const data = {
				clientId: await close("clientId", input.clientId),
				clientSecret: await close("clientSecret", input.clientSecret),
				options: input.options && (await close("options", JSON.stringify(input.options))),
				scopes: input.scopes && JSON.stringify(input.scopes),
				redirectURI: input.redirectURI,
				enabled: input.enabled,
				updatedAt: now,
			};
			const store = async (): Promise<OauthConfigRow | null> => {
				const existing = await find(providerId);
				if (existing) return update(existing.id, data);
				return adapter.create<Record<string, unknown>, OauthConfigRow>({
					model,
					data: { ...data, tenantId, providerId, createdAt: now },
				});
			};
			// if a parallel call created the row first, update that row
			const row =
				(await store().catch(async (error: unknown) => ((await find(providerId)) ? store() : Promise.reject(error)))) ??
				(await store());
			if (!row) throw APIError.from("NOT_FOUND", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_NOT_FOUND);
			return showOauthConfig(row, input.clientId);
		},
		list: async (): Promise<OauthConfig[]> => {
			const rows = await adapter.findMany<OauthConfigRow>({
				model,
				where: [ofTenant],
				sortBy: { field: "providerId", direction: "asc" },
			});
			return Promise.all(
				rows.map(async (row) => showOauthConfig(row, (await open(row, "clientId", row.clientId)).value)),
			);
		},
		/** Returns whether a config existed. */
		delete: async (providerId: string): Promise<boolean> =>
			(await adapter.deleteMany({ model, where: ofPair(providerId) })) > 0,
		/** Returns the enabled configs, decrypted. Runs one query. */
		openEnabled: async (): Promise<OpenedConfig[]> => {
			const rows = await adapter.findMany<OauthConfigRow>({
				model,
				where: [ofTenant, { field: "enabled", value: true, connector: "AND" }],
			});
			const unreadable = ({ id, providerId }: OauthConfigRow) => ({
				providerId,
				version: `${id}:unreadable`,
				credentials: null,
			});
			return Promise.all(rows.map((row) => openAll(row).catch(() => unreadable(row))));
		},
	};
};
