import { startProcess } from "test-kit/processes";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { ORIGIN } from "../stage/engine.ts";
import type { IdentityServer } from "../stage/identity-server.ts";
import { type Authorize, FLOWS, type Flow } from "./flows.ts";
import { startThreads, type Threads } from "./start-threads.ts";

type Staged = { sides: Threads["sides"]; flows: Flow[]; setting: Flow["setting"] };

/** Starts the engine with and without tenants on one PostgreSQL, for each setting in turn, and passes its flows. */
export const eachSetting = async (visit: (staged: Staged) => Promise<void>): Promise<void> => {
	// no waiting for the disk, which would hide the cost of the plugin
	const postgres = await startPostgres({ settings: { synchronous_commit: "off", shared_buffers: "512MB" } });
	const redis = await startRedis({ persistent: true });
	const identity = startProcess<IdentityServer>(new URL("../stage/identity-server.ts", import.meta.url));
	try {
		const gitlab = {
			...(await identity.call("start")),
			clientId: "bench",
			clientSecret: "bench-secret",
		};
		await identity.call("addClient", {
			...gitlab,
			redirectURIs: ["callback/gitlab", "tenant/callback/gitlab"].map((path) => `${ORIGIN}/api/auth/${path}`),
		});
		const authorize: Authorize = (url, person) => identity.call("authorize", { url, person });
		const servers = { postgres: postgres.url, redisPort: redis.port, gitlab };
		for (const setting of new Set(FLOWS.map((flow) => flow.setting))) {
			const { sides, close } = await startThreads(setting, servers, authorize);
			try {
				await visit({ sides, setting, flows: FLOWS.filter((flow) => flow.setting === setting) });
			} finally {
				await close();
			}
		}
	} finally {
		await identity.stop();
		await redis.close();
		await postgres.close();
	}
};
