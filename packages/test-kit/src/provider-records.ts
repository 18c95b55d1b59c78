import type { Adapter, AdapterFactory, AdapterPayload, ClientMetadata } from "oidc-provider";

/**
 * Stores what one oidc-provider issues, while that provider lives. Clients are read from the given map, so they can be
 * added later.
 */
export const keepProviderRecords = (clients: ReadonlyMap<string, ClientMetadata>): AdapterFactory => {
	// one map for all models: revoking a grant affects codes and tokens, which are separate models
	const records = new Map<string, AdapterPayload>();

	return (model): Adapter => {
		const key = (id: string) => `${model}:${id}`;
		const findBy = (field: "uid" | "userCode", value: string) => {
			for (const [name, payload] of records) {
				if (name.startsWith(`${model}:`) && payload[field] === value) return payload;
			}
			return undefined;
		};

		return {
			async upsert(id, payload) {
				records.set(key(id), payload);
			},
			async find(id) {
				return model === "Client" ? clients.get(id) : records.get(key(id));
			},
			async findByUid(uid) {
				return findBy("uid", uid);
			},
			async findByUserCode(userCode) {
				return findBy("userCode", userCode);
			},
			async consume(id) {
				const payload = records.get(key(id));
				if (payload) payload.consumed = Math.floor(Date.now() / 1000);
			},
			async destroy(id) {
				records.delete(key(id));
			},
			async revokeByGrantId(grantId) {
				for (const [name, payload] of records) {
					if (payload.grantId === grantId) records.delete(name);
				}
			},
		};
	};
};
