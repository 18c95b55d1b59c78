import type { Where } from "@better-auth/core/db/adapter";
import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";
import type { RawAdapter } from "../../scope/data/raw-adapter.ts";
import { authorityOf, compareAuthority } from "./account-authority.ts";
import { callbackKindOf, callbackPathOf, decideCallback } from "./callback-path.ts";
import {
	type OauthConfigRow,
	type OpenedParts,
	readScopes,
	type StoredOauthConfig,
	selectFields,
} from "./oauth-config.ts";
import type { Opened, Seal, SealedPlace } from "./seal.ts";

/** A registration. An undefined field keeps its stored value, and null clears it. */
export type OauthConfigInput = {
	providerId: string;
	clientId: string;
	clientSecret: string;
	options: Record<string, unknown> | null | undefined;
	scopes: string[] | null | undefined;
	redirectURI: string | null | undefined;
	enabled: boolean;
};

/** The rules for values of a config. They throw for a value that is not allowed, and return its canonical form. */
export type ConfigRules = {
	options: (options: Record<string, unknown> | null) => Record<string, unknown> | null;
	redirectURI: (redirectURI: string) => string;
};

/** Columns that a registration may leave as they are. */
const OPTIONAL_COLUMNS = ["options", "callback", "scopes", "redirectURI"] as const;

/** How often a registration is tried again after a parallel one changed what this one keeps. */
const ATTEMPTS = 20;

/** One config, for building a provider. Never shown, never logged. */
export type OpenedConfig = {
	providerId: string;
	/** identifies the config and its last write; encrypting it again with another secret does not change this */
	version: string;
	/** the stored decision about its callback URL */
	callback: string;
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

type Options = Record<string, unknown>;

type Opening = ReturnType<typeof createOpening>;
type Columns = Awaited<ReturnType<ReturnType<typeof createColumns>>>["data"];

type StoreWith = {
	/** Whether the SSO plugin is installed: its providers and these share one namespace of provider ids in accounts. */
	hasSso: boolean;
	/** the options of the application's own provider */
	globalOptions: (providerId: string) => object | undefined;
};

/** Creates stores of OAuth configs. Each is bound to one tenant, so forgetting the tenant does not compile. */
export const createOauthConfigStores =
	(adapter: RawAdapter, seal: Seal, application: StoreWith) => (tenantId: string) => {
		const { find, findAll, findEnabled, assertNotSso, create, update, remove } = createRows(
			adapter,
			tenantId,
			application,
		);
		const opening = createOpening(seal, tenantId, application);
		const { openAll, openParts, pathOf } = opening;
		const columnsOf = createColumns(seal, tenantId, opening);

		return {
			/** Creates the config of this tenant and provider, or updates it. Keeps what the input leaves out. */
			upsert: async (input: OauthConfigInput, rules: ConfigRules): Promise<StoredOauthConfig> => {
				const { providerId } = input;
				await assertNotSso(providerId);
				for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
					const existing = await find(providerId);
					const { data, options } = await columnsOf(input, existing, rules);
					const row = existing ? await update(existing, data) : await create(providerId, data);
					if (row)
						return selectFields(row, { clientId: input.clientId, readable: true, callbackPath: pathOf(row, options) });
				}
				throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.OAUTH_CONFIG_CHANGED);
			},
			list: async (): Promise<StoredOauthConfig[]> => {
				const rows = await findAll();
				return Promise.all(rows.map(async (row) => selectFields(row, await openParts(row))));
			},
			/** Returns whether a config existed. */
			delete: async (providerId: string): Promise<boolean> => (await remove(providerId)) > 0,
			/** Returns one config, decrypted, also if it is disabled. Null if there is none. Throws if it cannot be decrypted. */
			open: async (providerId: string): Promise<OpenedConfig | null> => {
				const row = await find(providerId);
				return row && openAll(row);
			},
			/** Returns the enabled configs, decrypted. Runs one query. */
			openEnabled: async (): Promise<OpenedConfig[]> => {
				const rows = await findEnabled();
				return Promise.all(rows.map((row) => openAll(row).catch(() => unreadable(row))));
			},
		};
	};

/** The stored rows of one tenant. Every condition of a query is built here. */
const createRows = (adapter: RawAdapter, tenantId: string, application: Pick<StoreWith, "hasSso">) => {
	const model = "tenantOauthConfig";
	const ofTenant: Where = { field: "tenantId", value: tenantId };
	const ofPair = (providerId: string): Where[] => [
		ofTenant,
		{ field: "providerId", value: providerId, connector: "AND" },
	];
	const find = (providerId: string) => adapter.findOne<OauthConfigRow>({ model, where: ofPair(providerId) });

	/**
	 * An SSO provider with this id may exist from before Better Auth had a social provider of this name. Its accounts
	 * would match the social ones.
	 */
	const assertNotSso = async (providerId: string): Promise<void> => {
		const found =
			application.hasSso &&
			(await adapter.findOne({ model: "ssoProvider", where: ofPair(providerId), select: ["id"] }));
		if (found) throw APIError.from("CONFLICT", SSO_ERROR_CODES.SSO_PROVIDER_EXISTS);
	};

	/** Returns null if a parallel call changed or deleted what this one keeps. */
	const update = async (existing: OauthConfigRow, data: Columns): Promise<OauthConfigRow | null> => {
		const kept = OPTIONAL_COLUMNS.filter((column) => !(column in data)).map(
			(column): Where => ({ field: column, value: existing[column] ?? null, connector: "AND" }),
		);
		const changed = await adapter.updateMany({
			model,
			where: [{ field: "id", value: existing.id }, { ...ofTenant, connector: "AND" }, ...kept],
			update: data,
		});
		return changed > 0 ? { ...existing, ...data } : null;
	};

	/** Returns null if a parallel call created the row first. */
	const create = async (providerId: string, data: Columns): Promise<OauthConfigRow | null> => {
		try {
			return await adapter.create<Record<string, unknown>, OauthConfigRow>({
				model,
				data: { ...data, tenantId, providerId, createdAt: data.updatedAt },
			});
		} catch (error) {
			if (await find(providerId)) return null;
			throw error;
		}
	};

	return {
		find,
		findAll: () =>
			adapter.findMany<OauthConfigRow>({
				model,
				where: [ofTenant],
				sortBy: { field: "providerId", direction: "asc" },
			}),
		findEnabled: () =>
			adapter.findMany<OauthConfigRow>({
				model,
				where: [ofTenant, { field: "enabled", value: true, connector: "AND" }],
			}),
		assertNotSso,
		update,
		create,
		remove: (providerId: string) => adapter.deleteMany({ model, where: ofPair(providerId) }),
	};
};

/** Where a value is sealed. A value that was moved to another place cannot be decrypted. */
const placesIn =
	(tenantId: string) =>
	(providerId: string, field: SealedPlace["field"]): SealedPlace => ({ tenantId, providerId, field });

/** Decrypts the rows of one tenant. */
const createOpening = (seal: Seal, tenantId: string, application: Pick<StoreWith, "globalOptions">) => {
	const place = placesIn(tenantId);

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
		const { providerId, callback } = row;
		return { providerId, version: `${row.id}:${secret.write}`, callback, credentials };
	};

	const openOptions = async (row: OauthConfigRow): Promise<Options> => {
		if (!row.options) return {};
		const opened = await seal.open(place(row.providerId, "options"), row.options);
		// without its options, the config would lead to another server
		if (!opened) throw APIError.from("CONFLICT", TENANT_AUTH_ERROR_CODES.OAUTH_OPTIONS_UNREADABLE);
		return JSON.parse(opened.value) as Options;
	};

	/** The path of a config's callback. `options` is undefined if they cannot be decrypted. */
	const pathOf = ({ providerId, callback }: OauthConfigRow, options: Options | undefined): string => {
		const { isOwnServer } = compareAuthority(providerId, options ?? {}, application.globalOptions(providerId));
		return callbackPathOf(providerId, tenantId, callbackKindOf(callback, isOwnServer));
	};

	/** One config that cannot be decrypted must not hide the others, so this does not throw. */
	const openParts = async (row: OauthConfigRow): Promise<OpenedParts> => {
		const { credentials } = await openAll(row).catch(() => ({ credentials: null }));
		if (credentials)
			return { clientId: credentials.clientId, readable: true, callbackPath: pathOf(row, credentials.options) };
		const clientId = await seal.open(place(row.providerId, "clientId"), row.clientId);
		const options = await openOptions(row).catch(() => undefined);
		return { clientId: clientId?.value ?? null, readable: false, callbackPath: pathOf(row, options) };
	};

	return { openAll, openOptions, openParts, pathOf };
};

/** One config that cannot be decrypted must not end the sign-ins with the others. */
const unreadable = ({ id, providerId, callback }: OauthConfigRow): OpenedConfig => ({
	providerId,
	version: `${id}:unreadable`,
	callback,
	credentials: null,
});

/** The columns that a registration writes. Columns that it keeps are left out. */
const createColumns = (seal: Seal, tenantId: string, { openOptions }: Pick<Opening, "openOptions">) => {
	const place = placesIn(tenantId);

	/** Whether options lead to another server than the stored ones. True if those cannot be decrypted. */
	const changeAuthority = async (existing: OauthConfigRow, options: Options | null): Promise<boolean> => {
		const before = await openOptions(existing).catch(() => undefined);
		const { providerId } = existing;
		return !before || authorityOf(providerId, before) !== authorityOf(providerId, options ?? {});
	};

	return async (input: OauthConfigInput, existing: OauthConfigRow | null, rules: ConfigRules) => {
		const { providerId, scopes, enabled } = input;
		const write = crypto.randomUUID();
		const close = (field: SealedPlace["field"], value: string) =>
			seal.close(place(providerId, field), { value, write });
		// values that stay are checked too, because the rules may have changed since they were stored
		const keepsOptions = input.options === undefined;
		const options = rules.options(keepsOptions && existing ? await openOptions(existing) : (input.options ?? null));
		const redirectURI = input.redirectURI === undefined ? existing?.redirectURI : input.redirectURI;
		if (redirectURI) rules.redirectURI(redirectURI);
		const decidesCallback = !existing || (!keepsOptions && (await changeAuthority(existing, options)));
		const data = {
			clientId: await close("clientId", input.clientId),
			clientSecret: await close("clientSecret", input.clientSecret),
			enabled,
			updatedAt: new Date(),
			...(keepsOptions ? {} : { options: options && (await close("options", JSON.stringify(options))) }),
			...(decidesCallback ? { callback: decideCallback(providerId, options) } : {}),
			...(scopes === undefined ? {} : { scopes: scopes && JSON.stringify(scopes) }),
			...(input.redirectURI === undefined ? {} : { redirectURI: input.redirectURI }),
		};
		return { data, options: options ?? {} };
	};
};
