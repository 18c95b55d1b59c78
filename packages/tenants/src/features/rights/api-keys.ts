import { isBanned } from "../../engine/banned-user.ts";
import { epochOf, type Row } from "./epoch.ts";
import { isLate, keyOf, rightsNow, see } from "./request-rights.ts";

/**
 * Whether an API key still acts for its user. Not during a ban, and not if it is from before the user's role was raised by an
 * invitation, or lowered. The request then acts as this user.
 */
export const admitsApiKey = async (
	tenantId: string,
	{ user, key }: { user: Row & { id: string }; key: Row },
): Promise<boolean> => {
	const { banned, banExpires, apiKeysSince } = user;
	if (isBanned({ banned, banExpires }) || isOlder(key.createdAt, apiKeysSince)) return false;
	const rights = rightsNow();
	if (!rights) return true;
	see(rights, tenantId, user);
	const sight = rights.seen.get(keyOf(tenantId, user.id));
	if (!sight || isLate(rights, sight) || sight.epoch !== epochOf(user)) return false;
	rights.actors.add(keyOf(tenantId, user.id));
	if (!rights.byKey.has(keyOf(tenantId, user.id))) rights.byKey.set(keyOf(tenantId, user.id), apiKeysSince);
	return true;
};

/** A key that does not say when it was created is older: it fails closed. */
const isOlder = (createdAt: unknown, since: unknown): boolean => since != null && !(timeIn(createdAt) >= timeIn(since));

const timeIn = (value: unknown): number => new Date(value as string | Date).getTime();
