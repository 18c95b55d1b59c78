import type { GenericEndpointContext } from "@better-auth/core";
import { defineRequestState, hasRequestState } from "@better-auth/core/context";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import type { Logger } from "../observe/logger.ts";
import { isForeign, readForeignHash } from "./read-hash.ts";

/** A hash of another system whose password this request has proven, and Better Auth's own hash of that password. */
type Proven = { foreign: string; own: string };

const proven = defineRequestState<Proven | null>(() => null);

/**
 * Verifies a password against Better Auth's hash, or that of another system. The plugin lets tenants take turns at it.
 *
 * Better Auth hashes the password of an unknown user. So does this, at the same time, whatever the other hash says: a hash
 * that is cheaper than Better Auth's would otherwise reveal by a fast response that the user exists.
 */
export const verifyAnyPassword = async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
	if (!isForeign(hash)) return verifyPassword({ hash, password });
	const foreign = readForeignHash(hash);
	const [isRight, own] = await Promise.all([foreign?.verify(password) ?? false, hashPassword(password)]);
	if (!isRight) return false;
	// what the hash does not cover may be mistyped: it must not become part of the password
	if (!foreign?.isCut(password) && (await hasRequestState())) await proven.set({ foreign: hash, own });
	return true;
};

/** Replaces the hash of another system after a sign-in with its password. Runs when a session was created. */
export const replaceForeignHash =
	(logger: Logger) =>
	async ({ userId }: { userId: string }, ctx: GenericEndpointContext | null): Promise<void> => {
		if (!ctx || !(await hasRequestState())) return;
		const found = await proven.get();
		if (!found) return;
		try {
			await ctx.context.adapter.updateMany({
				model: "account",
				where: [
					{ field: "userId", value: userId },
					{ field: "providerId", value: "credential" },
					// not a password that was changed meanwhile
					{ field: "password", value: found.foreign },
				],
				update: { password: found.own, updatedAt: new Date() },
			});
		} catch (error) {
			// the user is signed in, and the next sign-in tries again
			logger.warn({ err: error }, "an imported password hash could not be replaced");
		}
	};
