import { startProcess } from "test-kit/processes";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { ORIGIN } from "./engine.ts";
import type { Flow } from "./flows.ts";
import type { IdentityServer } from "./identity-server.ts";
import type { Servers, Setting } from "./sides.ts";

type Started<Sides> = { sides: Sides; close: () => Promise<void> };
type Staged<Sides> = { sides: Sides; flows: Flow[]; setting: Setting };

/** Starts the sides on one PostgreSQL, for each setting of the flows in turn, and passes the flows of that setting. */
export const eachSetting = async <Sides>(
	flows: Flow[],
	start: (setting: Setting, servers: Servers) => Promise<Started<Sides>>,
	visit: (staged: Staged<Sides>) => Promise<void>,
): Promise<void> => {
	// no waiting for the disk, which would hide the cost of the plugin
	const postgres = await startPostgres({ settings: { synchronous_commit: "off", shared_buffers: "512MB" } });
	const redis = await startRedis({ persistent: true });
	const identity = startProcess<IdentityServer>(new URL("./identity-server.ts", import.meta.url));
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
		const servers = { postgres: postgres.url, redisPort: redis.port, gitlab };
		for (const setting of new Set(flows.map((flow) => flow.setting))) {
			const { sides, close } = await start(setting, servers);
			try {
				await visit({ sides, setting, flows: flows.filter((flow) => flow.setting === setting) });
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
