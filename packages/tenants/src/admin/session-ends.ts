import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { defineRequestState, getCurrentAdapter } from "@better-auth/core/context";
import type { Session } from "@better-auth/core/db";
import { createHook } from "../engine/hook.ts";
import { peekState } from "../engine/request-state.ts";
import { whenAssigned } from "../engine/when-assigned.ts";
import { PLATFORM } from "../scope/platform.ts";
import { servicesOf } from "../services.ts";
import { findUser } from "./user.ts";

/** No request runs for longer, in milliseconds. */
const LIFETIME = 3_600_000;

/** The verification that says when the sessions of a user were ended. */
export const endsOf = (userId: string): string => `sessions-ended-${userId}`;

/** The running request: when it began, and a name for the sessions that it ends itself. */
const running = defineRequestState(() => ({ began: Date.now(), name: crypto.randomUUID() }));

/** Remembers when a request began, before it reads a credential. */
export const rememberBegin = {
	matcher: () => true,
	handler: createHook(async () => {
		await running.get();
	}),
};

type With = Pick<GenericEndpointContext, "context">;

/**
 * Writes down that the sessions of a user end now. Call it before the sessions are deleted, and after the commit of what ended
 * them. Not for a user who is gone: their sessions are refused anyway, and an erasure leaves nothing behind.
 */
export const recordEnd = async ({ context }: With, userId: string): Promise<void> => {
	if (servicesOf({ context }).pin.current() === PLATFORM || !(await findUser({ context }, userId))) return;
	const now = Date.now();
	const end = `${now} ${peekState(running)?.name ?? ""}`;
	const identifier = endsOf(userId);
	const expiresAt = new Date(now + LIFETIME);
	if (!hasTable(context)) {
		const earlier = await context.internalAdapter.findVerificationValue(identifier);
		const value = earlier ? `${earlier.value}\n${end}` : end;
		await context.internalAdapter.createVerificationValue({ identifier, value, expiresAt });
		return;
	}
	const adapter = await getCurrentAdapter(context.adapter);
	const at = new Date(now);
	await adapter.create({
		model: "verification",
		data: { identifier, value: end, expiresAt, createdAt: at, updatedAt: at },
	});
};

/**
 * Whether the sessions of its user were ended after the request that stores this one began. Not by the request itself: whoever
 * changes their password ends all sessions, and gets a new one. Costs one query. Compares the clocks of servers.
 */
export const endedMeanwhile = async ({ context }: With, { userId, createdAt }: Session): Promise<boolean> => {
	const request = peekState(running);
	const began = request?.began ?? new Date(createdAt).getTime();
	const ends = await readEnds(context, endsOf(userId));
	return ends.some((end) => {
		const [at, by] = end.split(" ");
		return Number(at) > began && (!request || by !== request.name);
	});
};

/** Writes down every end of all sessions of a user, whoever asks for it: an administrator, or the user with a new password. */
export const recordEnds = (context: AuthContext): void =>
	whenAssigned(context, "internalAdapter", (engine) => ({
		...engine,
		deleteUserSessions: async (userId) => {
			await recordEnd({ context }, userId);
			return engine.deleteUserSessions(userId);
		},
	}));

const readEnds = async (context: AuthContext, identifier: string): Promise<string[]> => {
	// the engine also deletes expired verifications when it reads one from the table
	if (!hasTable(context))
		return (await context.internalAdapter.findVerificationValue(identifier))?.value.split("\n") ?? [];
	const adapter = await getCurrentAdapter(context.adapter);
	const where = [
		{ field: "identifier", value: identifier },
		{ field: "expiresAt", operator: "gt" as const, value: new Date() },
	];
	return (await adapter.findMany<{ value: string }>({ model: "verification", where })).map(({ value }) => value);
};

const hasTable = ({ tables }: AuthContext): boolean => "verification" in tables;
