import type { BetterAuthOptions } from "@better-auth/core";
import { createHook } from "../engine/hook.ts";
import { PLATFORM } from "../scope/platform.ts";
import { isWithoutSession } from "./without-session.ts";

/** What the engine knows of a user before anybody's hooks ran. */
const CORE_FIELDS = ["id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt", "tenantId"];

/**
 * Where nobody is signed in at once, the engine answers alike for a new and for a taken address, but for the fields that
 * other plugins set as a user is stored (the admin plugin's `role`). Those are left out, for both. An application that
 * makes up users itself (`emailAndPassword.customSyntheticUser`) has seen to it.
 */
export const answerSignUpsAlike = (currentTenant: () => string) =>
	createHook(async (ctx) => {
		const { returned, options } = ctx.context;
		if (!ctx.request || currentTenant() === PLATFORM || !isWithoutSession(returned)) return;
		if (options.emailAndPassword?.customSyntheticUser) return;
		const shown = [...CORE_FIELDS, ...ownFields(options)].filter((name) => name !== "id" || !hasCountedIds(options));
		const user = shown.map((name) => [name, returned.user[name]]);
		return { ...returned, user: Object.fromEntries(user) };
	});

/** Without those that change their form on the way through the database, which the made-up user does not take. */
const ownFields = ({ user }: BetterAuthOptions): string[] =>
	Object.entries(user?.additionalFields ?? {})
		.filter(([, { type, transform }]) => type !== "date" && !transform?.output)
		.map(([name]) => name);

/** The database counts; a made-up user has no number. */
const hasCountedIds = ({ advanced }: BetterAuthOptions): boolean => advanced?.database?.generateId === "serial";
