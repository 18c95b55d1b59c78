import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { appUrl } from "./settings.ts";
import type { Pending, User } from "./sign-in.ts";

/** What this application knows about one browser: users by organization, and sign-ins that have not come back. */
export type Session = { users: Map<string, User>; pending: Map<string, Pending> };

// in memory, for the demo: a restart signs everybody out of the application
const sessions = new Map<string, Session>();
const MAX_SESSIONS = 10_000;
const MAX_PENDING = 10;

const isSecure = appUrl.protocol === "https:";
const COOKIE = isSecure ? "__Host-app-session" : "app-session";

export const readSession = (c: Context): Session =>
	sessions.get(getCookie(c, COOKIE) ?? "") ?? { users: new Map(), pending: new Map() };

/** Saves the session under a new id, so an id that somebody planted in the browser is worth nothing after a sign-in. */
export const saveSession = (c: Context, session: Session): void => {
	sessions.delete(getCookie(c, COOKIE) ?? "");
	dropOldest(sessions, MAX_SESSIONS);
	dropOldest(session.pending, MAX_PENDING);
	const id = randomBytes(32).toString("base64url");
	sessions.set(id, session);
	// lax: the way back from the tenant is a navigation from another site
	setCookie(c, COOKIE, id, { httpOnly: true, sameSite: "Lax", path: "/", secure: isSecure });
};

const dropOldest = (map: Map<string, unknown>, max: number): void => {
	for (const key of map.keys()) {
		if (map.size <= max) return;
		map.delete(key);
	}
};
