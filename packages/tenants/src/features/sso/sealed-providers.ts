import type { Where } from "@better-auth/core/db/adapter";
import { BetterAuthError } from "@better-auth/core/error";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import type { TenantContext } from "../../scope/pin/tenant-context.ts";
import type { Seal } from "../oauth/seal.ts";
import { withTenantEntity } from "./saml-entity.ts";

type Row = Record<string, unknown>;

export const SSO_TABLE = "ssoProvider";
const SEALED_COLUMNS = ["oidcConfig", "samlConfig"] as const;
type SealedColumn = (typeof SEALED_COLUMNS)[number];

type SealWith = {
	seal: Seal;
	pin: TenantContext;
	/** whether a model name means the engine's table of SSO providers */
	isProviders: (model: string) => boolean;
	/** called for settings that cannot be decrypted; receives no part of them */
	onUnreadable: (provider: { tenantId: string; providerId: string }) => void;
};

/** The providers that the running request has read, as they were stored at first. */
const read = definePart<Map<unknown, Row>>(() => new Map());

const remember = (row: Row | null): Row | null => {
	const rows = row && read.now();
	if (rows && !rows.has(row.id)) rows.set(row.id, row);
	return row;
};

/**
 * The conditions of a write that says whose a domain is: the identity provider is still the one that the request has read. Every write
 * encrypts settings to another text.
 */
const unchanged = (where: Where[]): Where[] => {
	const id = where.find(({ field }) => field === "id")?.value;
	const row = read.peek()?.get(id);
	if (!row) return where;
	const fields = ["issuer", ...SEALED_COLUMNS].filter((field) => field in row);
	return [
		...where,
		...fields.map((field): Where => ({ field, value: (row[field] ?? null) as Where["value"], connector: "AND" })),
	];
};

/**
 * Encrypts the settings of a tenant's SSO providers like OAuth credentials, bound to tenant, provider and column. The
 * engine reads and writes plain text. The platform's providers keep the engine's own format.
 */
export const sealProviders =
	({ seal, pin, isProviders, onUnreadable }: SealWith) =>
	(methods: ScopedMethods): ScopedMethods => {
		const isSealed = (model: string): boolean => pin.current() !== PLATFORM && isProviders(model);
		const placeOf = (providerId: string, field: SealedColumn) => ({ tenantId: pin.current(), providerId, field });

		const close = async (providerId: string, data: Row): Promise<Row> => {
			const closed: Row = { ...data };
			for (const field of SEALED_COLUMNS) {
				const value = data[field];
				if (typeof value === "string")
					closed[field] = await seal.close(placeOf(providerId, field), { value, write: crypto.randomUUID() });
			}
			return closed;
		};

		/** Settings that cannot be decrypted become null, so Better Auth treats the provider as not configured. */
		const open = async <Found>(row: Found): Promise<Found> => {
			if (!row || typeof row !== "object") return row;
			const opened: Row = { ...(row as Row) };
			const providerId = String(opened.providerId);
			for (const field of SEALED_COLUMNS) {
				const value = opened[field];
				if (typeof value !== "string") continue;
				const found = await seal.open(placeOf(providerId, field), value);
				if (!found) onUnreadable({ tenantId: pin.current(), providerId });
				opened[field] = found && shown(field, found.value, placeOf(providerId, field));
			}
			return opened as Found;
		};

		return {
			...methods,
			create: async (query) => {
				if (!isSealed(query.model)) return methods.create(query);
				const data: Row = query.data;
				const row = await open(await methods.create({ ...query, data: await close(String(data.providerId), data) }));
				// the engine returns this row from the register endpoint
				return withoutSecrets(row) as never;
			},
			findOne: async (query) =>
				isSealed(query.model)
					? (open(remember(await methods.findOne<Row>(query))) as never)
					: (methods.findOne(query) as never),
			findMany: async (query) =>
				isSealed(query.model)
					? (Promise.all((await methods.findMany(query)).map(open)) as never)
					: (methods.findMany(query) as never),
			update: async (query) => {
				if (!isSealed(query.model)) return methods.update(query) as never;
				if (!isIdentityChange(query.update)) return open(await methods.update(query)) as never;
				const { model, where } = query;
				const row = await open(await methods.findOne<Row>({ model, where }));
				if (!row) return null;
				const update = { ...(await close(String(row.providerId), query.update)), ...verification(row, query.update) };
				return open(await methods.update({ ...query, update })) as never;
			},
			updateMany: async (query) => {
				if (isSealed(query.model) && writesSettings(query.update)) throw unsupported();
				return methods.updateMany(query);
			},
			consumeOne: async (query) =>
				isSealed(query.model) ? open(await methods.consumeOne(query)) : (methods.consumeOne(query) as never),
			incrementOne: async (query) => {
				if (!isSealed(query.model)) return methods.incrementOne(query) as never;
				if (query.set && writesSettings(query.set)) throw unsupported();
				const where = query.set?.domainVerified === true ? unchanged(query.where) : query.where;
				return open(await methods.incrementOne({ ...query, where })) as never;
			},
		};
	};

const shown = (field: SealedColumn, value: string, place: { tenantId: string; providerId: string }): string =>
	field === "samlConfig" ? withTenantEntity(value, place) : value;

const isIdentityChange = (update: Row): boolean => writesSettings(update) || typeof update.issuer === "string";

/** A domain is verified for one identity provider. Changing the identity provider requires a new verification. */
const verification = (stored: Row, update: Row): Row => {
	const after: Row = { ...stored, ...update };
	const isSame = identityOf(stored) === identityOf(after);
	return isSame || !("domainVerified" in stored) ? {} : { domainVerified: false };
};

const identityOf = ({ issuer, oidcConfig, samlConfig }: Row): string =>
	JSON.stringify([issuer, ...[oidcConfig, samlConfig].map(identitySettings)]);

const writesSettings = (update: Row): boolean => SEALED_COLUMNS.some((field) => typeof update[field] === "string");

const unsupported = () =>
	new BetterAuthError(
		"tenantAuth: this version of @better-auth/sso writes provider settings in a way that cannot be encrypted. Use a supported version.",
	);

type Settings = Record<string, unknown>;

const KEYS = ["privateKey", "privateKeyPass", "encPrivateKey", "encPrivateKeyPass"];

/** Removes the secrets from a provider's settings. */
const withoutSecrets = <Row extends Settings>(row: Row): Row => {
	const { oidcConfig, samlConfig } = row;
	return {
		...row,
		...(typeof oidcConfig === "string"
			? { oidcConfig: JSON.stringify(drop(parse(oidcConfig), ["clientSecret"])) }
			: {}),
		...(typeof samlConfig === "string" ? { samlConfig: JSON.stringify(withoutKeys(parse(samlConfig))) } : {}),
	};
};

/**
 * The settings that define the identity provider and how its responses are read. Secrets, scopes and PKCE are left out.
 */
const identitySettings = (config: unknown): string => {
	if (typeof config !== "string") return "";
	const settings = drop(withoutKeys(parse(config)), ["clientSecret", "scopes", "pkce"]);
	return JSON.stringify(Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1)));
};

const withoutKeys = (config: Settings): Settings => ({
	...drop(config, KEYS),
	...(isSettings(config.idpMetadata) ? { idpMetadata: drop(config.idpMetadata, KEYS) } : {}),
	...(isSettings(config.spMetadata) ? { spMetadata: drop(config.spMetadata, KEYS) } : {}),
});

const drop = (settings: Settings, names: string[]): Settings =>
	Object.fromEntries(Object.entries(settings).filter(([name]) => !names.includes(name)));

const parse = (json: string): Settings => JSON.parse(json) as Settings;

const isSettings = (value: unknown): value is Settings =>
	typeof value === "object" && value !== null && !Array.isArray(value);
