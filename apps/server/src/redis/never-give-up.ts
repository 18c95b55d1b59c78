import type { Redis } from "ioredis";

/** The message when ioredis ends a client by itself. An intentional end emits no error. */
const GIVEN_UP = "Connection is closed.";

/**
 * ioredis (5.11) ends a client permanently if Sentinels announce a new primary while it is looking one up, which is
 * exactly when Redis is back. This reconnects such a client.
 */
export const neverGiveUp = (client: Redis): void => {
	client.on("error", ({ message }: Error) => {
		if (message === GIVEN_UP) setImmediate(() => client.status === "end" && client.connect().catch(() => {}));
	});
};
