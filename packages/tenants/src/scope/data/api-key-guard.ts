import { getCurrentAdapter } from "@better-auth/core/context";
import type { SecondaryStorage } from "@better-auth/core/db";
import type { DBAdapter } from "@better-auth/core/db/adapter";
import { apiKeyOf, isApiKeyLookup, isApiKeyUse } from "../../engine/api-key-storage.ts";
import { defineService } from "../../engine/service.ts";
import { PLATFORM } from "../pin/platform.ts";
import type { TenantContext } from "../pin/tenant-context.ts";
import type { ScopedMethods } from "./adapter.ts";

type Row = Record<string, unknown>;

/** Whether an API key must be refused, because of its user. */
export type ApiKeyRule = (tenantId: string, found: { user: Row & { id: string }; key: Row }) => Promise<boolean>;

export type ApiKeyGuard = ReturnType<typeof createApiKeyGuard>;

/** Refuses API keys of users that companions no longer allow. */
export const apiKeyGuardOf = defineService<ApiKeyGuard>("apiKeys");

type With = {
	pin: Pick<TenantContext, "current">;
	/** the key of the table that a query names */
	keyOf: (model: string) => string;
	/** whether API keys may belong to organizations */
	hasOrganizations: boolean;
};

/**
 * Finds no API key whose user may no longer act: the API key plugin asks neither for a ban nor whether the user exists. It
 * responds as to a key that does not exist. Does nothing until a companion adds a rule. Then it costs one query per use of a key.
 */
export const createApiKeyGuard = ({ pin, keyOf, hasOrganizations }: With) => {
	const rules: ApiKeyRule[] = [];

	const admits = async (find: ScopedMethods["findOne"], key: Row): Promise<boolean> => {
		const where = [{ field: "id", value: String(key.referenceId) }];
		const user = await find<Row & { id: string }>({ model: "user", where });
		if (!user) return hasOrganizations && (await find({ model: "organization", where, select: ["id"] })) !== null;
		for (const rule of rules) if (await rule(pin.current(), { user, key })) return false;
		return true;
	};

	const isOff = (): boolean => rules.length === 0 || pin.current() === PLATFORM;

	return {
		/** Adds a rule. Called when a companion starts. */
		use: (rule: ApiKeyRule): void => {
			rules.push(rule);
		},
		wrap: (methods: ScopedMethods): ScopedMethods => ({
			...methods,
			findOne: async <Found>(query: Parameters<ScopedMethods["findOne"]>[0]) => {
				const row = await methods.findOne<Found>(query);
				if (!row || isOff() || keyOf(query.model) !== "apikey" || !isApiKeyLookup(query.where)) return row;
				return (await admits(methods.findOne, row as Row)) ? row : null;
			},
		}),
		/** Also refuses keys that are in the secondary storage. */
		guardStorage: (storage: SecondaryStorage, adapter: () => DBAdapter): SecondaryStorage => ({
			...storage,
			get: async (name) => {
				const stored: unknown = await storage.get(name);
				if (stored == null || isOff() || !isApiKeyUse(name)) return stored;
				const key = apiKeyOf(stored);
				const current = await getCurrentAdapter(adapter());
				return key && (await admits(current.findOne, key)) ? stored : null;
			},
		}),
	};
};
