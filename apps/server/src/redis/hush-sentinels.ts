import type { Redis } from "ioredis";

type Connect = (...given: unknown[]) => Redis;
const INTERNAL = "connectToSentinel";

/**
 * ioredis (5.11) has no error listener on its Sentinel subscriptions, so it prints every error to the console while a
 * Sentinel is down. The client itself reports an unreachable Redis.
 */
export const hushSentinels = (client: Redis): void => {
	const connector: object = Reflect.get(client, "connector");
	const connect: Connect | undefined = Reflect.get(connector, INTERNAL);
	// not connected through Sentinels
	if (!connect) return;
	const connectQuietly: Connect = (...given) => connect.apply(connector, given).on("error", () => {});
	Reflect.set(connector, INTERNAL, connectQuietly);
};
