import type { Redis } from "ioredis";

type Connect = (...given: unknown[]) => Redis;
const INTERNAL = "connectToSentinel";

/**
 * The connections on which ioredis (5.11) hears of a new primary have nobody who listens to their errors, so that it prints
 * each of them while a Sentinel is gone, beside our log and not in its form. That Redis itself is gone, the client says.
 */
export const hushSentinels = (client: Redis): void => {
	const connector: object = Reflect.get(client, "connector");
	const connect: Connect | undefined = Reflect.get(connector, INTERNAL);
	// it knows its Redis by a URL
	if (!connect) return;
	const connectQuietly: Connect = (...given) => connect.apply(connector, given).on("error", () => {});
	Reflect.set(connector, INTERNAL, connectQuietly);
};
