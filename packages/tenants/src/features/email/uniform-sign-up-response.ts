import type { BetterAuthOptions } from "@better-auth/core";
import { createHook } from "../../engine/hook.ts";
import { PLATFORM } from "../../scope/pin/platform.ts";
import { isWithoutSession } from "./without-session.ts";

/** The user fields that the engine sets before any hook runs. */
const CORE_FIELDS = ["id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "tenantId"];

/**
 * Removes fields from sign-up responses that would reveal whether an email is taken. If the sign-up creates no session,
 * the engine returns a made-up user for a taken address. It lacks the fields that other plugins set when a user is
 * stored (the admin plugin's `role`). Applications with `emailAndPassword.customSyntheticUser` handle this themselves.
 */
export const unifySignUpResponses = (currentTenant: () => string) =>
	createHook(async (ctx) => {
		const { returned, options } = ctx.context;
		if (!ctx.request || currentTenant() === PLATFORM || !isWithoutSession(returned)) return;
		if (options.emailAndPassword?.customSyntheticUser) return;
		const shown = [...CORE_FIELDS, ...ownFields(options)].filter((name) => name !== "id" || !hasCountedIds(options));
		const user = shown.map((name) => [name, returned.user[name]]);
		return { ...returned, user: Object.fromEntries(user) };
	});

/** The application's own fields, without those that the database changes: the made-up user is never stored. */
const ownFields = ({ user }: BetterAuthOptions): string[] =>
	Object.entries(user?.additionalFields ?? {})
		.filter(([, { type, transform }]) => type !== "date" && !transform?.output)
		.map(([name]) => name);

/** The database assigns serial ids, so the made-up user has none. */
const hasCountedIds = ({ advanced }: BetterAuthOptions): boolean => advanced?.database?.generateId === "serial";
