import type { Defense } from "./defense.ts";

const FOLLOW = {
	caughtBy: "tests" as const,
	files: ["test/session-cache/follow-changes.security.test.ts"],
	threats: [177],
};
const CACHE = {
	caughtBy: "tests" as const,
	files: ["test/session-cache/session-cache.security.test.ts"],
	threats: [177],
};
const FOLLOWER = "features/session-cache/follow-changes.ts";
const SESSIONS = "features/session-cache/cached-sessions.ts";

/** A copy of a session is as good as the database, or it is not used. */
export const SESSION_CACHE_DEFENSES: Defense[] = [
	{
		id: "copies-without-a-lease",
		name: "A process uses copies although it cannot look at the changes",
		file: FOLLOWER,
		find: "const isLeased = (): boolean => now() < leasedUntil;",
		replace: "const isLeased = (): boolean => now() < Number.POSITIVE_INFINITY;",
		named: "while the look is young",
		...FOLLOW,
	},
	{
		id: "lease-after-the-look",
		name: "A look counts from its answer, however long that took",
		file: FOLLOWER,
		find: "leasedUntil = began + lease;",
		replace: "leasedUntil = now() + lease;",
		named: "after a look that takes longer",
		...FOLLOW,
	},
	{
		id: "copies-of-any-age",
		name: "A copy is used however old it is",
		file: FOLLOWER,
		find: "age < maxAge && ",
		replace: "",
		named: "up to its age",
		...FOLLOW,
	},
	{
		id: "changes-by-highest-seen",
		name: "The next look begins after the last transaction, not at the first open one",
		file: FOLLOWER,
		find: "pg_snapshot_xmin(pg_current_snapshot())",
		replace: "pg_snapshot_xmax(pg_current_snapshot())",
		named: "commits after a later one",
		...FOLLOW,
	},
	{
		id: "restored-database-goes-on",
		name: "After a restore, changes are looked for where the old database was",
		file: FOLLOWER,
		find: "BigInt(found.xmin) < BigInt(cursor)",
		replace: "BigInt(found.xmin) < 0n",
		named: "in a database that was restored",
		...FOLLOW,
	},
	{
		id: "copies-without-triggers",
		name: "Copies are used although nothing records changes",
		file: FOLLOWER,
		find: "found.recorders !== RECORDERS.length",
		replace: "found.recorders < 0",
		named: "no copy is used",
		...FOLLOW,
	},
	{
		id: "changes-are-forgotten-early",
		name: "A change is forgotten before the copies from before it are",
		file: "features/session-cache/remembered-changes.ts",
		find: "now - at <= REMEMBERED",
		replace: "now - at <= REMEMBERED / 1000",
		named: "longer than any copy",
		...FOLLOW,
	},
	{
		id: "shortened-sessions-are-no-change",
		name: "A session that ends earlier is not recorded",
		file: "features/session-cache/change-log.ts",
		find: /n\.\$\{expiresAt\} < o\.\$\{expiresAt\} or /,
		replace: "",
		named: "if it is shorter",
		...FOLLOW,
	},
	{
		id: "responds-before-it-looks",
		name: "A change is answered before its own process knows of it",
		file: SESSIONS,
		find: "await cache.follow();",
		replace: "void cache.follow;",
		named: "is gone at once where it ended",
		...CACHE,
	},
	{
		id: "copies-of-other-tenants",
		name: "A copy that is another tenant's is used",
		file: SESSIONS,
		find: "if (found.session.tenantId !== pin.current()) return null;",
		replace: "",
		named: "is no session in another tenant",
		...CACHE,
	},
	{
		id: "copies-of-changed-users",
		name: "A copy is used although its user has changed",
		file: SESSIONS,
		find: "if (!cache.isCurrent(copied)) return null;",
		replace: "if (!cache.isCurrent({ ...copied, userId: '' })) return null;",
		named: "by a copy that arrives late",
		...CACHE,
	},
];
