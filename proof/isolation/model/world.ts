import { randomBytes } from "node:crypto";
import { startIdentityProvider } from "test-kit/identity-provider";
import { createDatabase } from "test-kit/run-database";
import { startApp } from "../app/start-app.ts";
import { createHttp } from "./http.ts";
import { watchKeys } from "./oracle-redis.ts";
import { watchRows } from "./oracle-rows.ts";

export const AT_ONCE = 8;
const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const GLOBAL_CLIENT = { clientId: "global-gitlab", clientSecret: "global-gitlab-secret-0123456789" };

export type World = Awaited<ReturnType<typeof startWorld>>;

/** The application in a separate process, its database, its Redis, an identity provider, and the oracles. */
export const startWorld = async ({ redis, source }: { redis: boolean; source: string }) => {
	const closing: (() => Promise<unknown>)[] = [];
	const stop = async (): Promise<void> => {
		for (const close of closing.splice(0).reverse()) await close();
	};
	try {
		const database = await createDatabase();
		closing.push(database.drop);
		// durability on power loss does not matter here
		await database.query(`alter database "${new URL(database.url).pathname.slice(1)}" set synchronous_commit = off`);
		const provider = await startIdentityProvider();
		closing.push(provider.close);
		const prefix = `isolation:${randomBytes(6).toString("hex")}:`;
		const keys = redis ? await watchKeys(REDIS_URL, prefix) : null;
		if (keys) closing.push(keys.close);
		const app = await startApp({
			databaseURL: database.url,
			source,
			hashing: "cheap",
			...(redis ? { redis: { url: REDIS_URL, prefix } } : {}),
			gitlab: { ...provider.gitlab, ...GLOBAL_CLIENT },
		});
		closing.push(app.stop);
		const rows = await watchRows(database.url);
		closing.push(rows.close);
		const http = createHttp(app.origin, AT_ONCE);
		closing.push(http.close);
		const callback = `${app.origin}/api/auth/tenant/callback/gitlab`;
		provider.addClient({ ...GLOBAL_CLIENT, redirectURIs: [`${app.origin}/api/auth/callback/gitlab`, callback] });
		return {
			app,
			http,
			rows,
			keys,
			provider,
			/** A tenant's own client at the provider. */
			addClient: ({ tenantId, ...client }: { clientId: string; clientSecret: string; tenantId: string }) =>
				provider.addClient({ ...client, redirectURIs: [callback, `${callback}/${tenantId}`] }),
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
};
