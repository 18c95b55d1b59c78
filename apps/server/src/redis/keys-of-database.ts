/** What Redis is used for: copies that expire, and counts. */
export type RedisValues = {
	get: (key: string) => Promise<string | null>;
	set: (key: string, value: string, seconds: number) => Promise<void>;
	delete: (key: string) => Promise<void>;
	increment: (key: string, seconds: number) => Promise<number>;
};

/**
 * Gives each database keys of its own. Redis may have copies of sessions that a restored database has not: of users who signed
 * up after the backup, for example. They would stay signed in for minutes.
 */
export const keysOfDatabase = (values: RedisValues, identity: () => string): RedisValues => {
	const own = (key: string): string => `${identity()}:${key}`;
	return {
		get: (key) => values.get(own(key)),
		set: (key, value, seconds) => values.set(own(key), value, seconds),
		delete: (key) => values.delete(own(key)),
		increment: (key, seconds) => values.increment(own(key), seconds),
	};
};
