import type { Redis } from "ioredis";

/** What ioredis says where it ends a client by itself. One that is ended on purpose says nothing. */
const GIVEN_UP = "Connection is closed.";

/**
 * ioredis (5.11) ends a client for good where the Sentinels tell of a new primary just while it is asking them for one: of
 * all moments that in which Redis is back. Such a client is connected anew.
 */
export const neverGiveUp = (client: Redis): void => {
	client.on("error", ({ message }: Error) => {
		if (message === GIVEN_UP) setImmediate(() => client.status === "end" && client.connect().catch(() => {}));
	});
};
