import { openClient } from "../server/client.ts";
import type { ServerSettings } from "../server/settings.ts";
import { startServer } from "../server/start-server.ts";
import { type Household, settle } from "./household.ts";

export type Quarter = Awaited<ReturnType<typeof openQuarter>>;

/** More than are ever in flight. */
const CONNECTIONS = 1_024;
/** As many as are normally in flight. */
const CONNECTIONS_AT_FIRST = 64;

/** A server and its tenants, one of which will be loud. */
export const openQuarter = async (
	settings: ServerSettings,
	{ tenants, people, name }: { tenants: number; people: number; name: string },
) => {
	const server = await startServer(settings);
	const client = openClient(server.origin, { connections: CONNECTIONS });
	const close = async (): Promise<void> => {
		await client.close();
		await server.close();
	};
	try {
		const loud = await settle(client, `${name}-loud`, people);
		const others: Household[] = [];
		while (others.length < tenants - 1) others.push(await settle(client, `${name}-${others.length}`, people));
		await client.connect(CONNECTIONS_AT_FIRST);
		return { server, client, loud, others, close };
	} catch (error) {
		await close();
		throw error;
	}
};
