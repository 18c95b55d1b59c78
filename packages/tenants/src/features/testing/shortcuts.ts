import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { sha256Text } from "../../lib/sha256.ts";
import { enginePasswordOf } from "../../load/hashing/bounded-hashing.ts";
import { responseFloorOf } from "../email/response-floor.ts";
import { closedTenantsOf } from "../tenants/closing.ts";

const MARK = "isolation-test:";
const QUICK = Symbol("quick-hash");

/**
 * Turns off what slows down or rejects thousands of calls from one address: the rate limiter, slow password hashes, padded
 * response times, and waiting for other processes when a tenant is deleted. None of them keeps tenants apart. Returns a
 * function that turns them on again. Throws during another run: it would take the shortcuts for the application's own
 * functions, and leave them on when it ends.
 */
export const takeShortcuts = (context: AuthContext): (() => void) => {
	const { rateLimit } = context;
	const closed = closedTenantsOf({ context });
	const floor = responseFloorOf({ context });
	const password = enginePasswordOf({ context });
	if (QUICK in password.hash)
		throw new BetterAuthError(
			"assertTenantIsolation: another run attacks the same auth. Await it first: each run would report the changes of the other.",
		);
	const { enabled } = rateLimit;
	const { hash, verify } = password;
	const { milliseconds } = floor;
	const { drainTime } = closed;
	const quickHash = async (text: string) => MARK + (await sha256Text(text));
	rateLimit.enabled = false;
	floor.milliseconds = 0;
	// no other process has seen the tenants of this run
	closed.drainTime = 0;
	// at the bottom, so what plugins do with a password still happens: rules of a policy, for example
	password.hash = Object.assign(quickHash, { [QUICK]: true });
	password.verify = async (given) =>
		given.hash.startsWith(MARK) ? given.hash === (await quickHash(given.password)) : verify(given);
	return () => {
		rateLimit.enabled = enabled;
		floor.milliseconds = milliseconds;
		closed.drainTime = drainTime;
		Object.assign(password, { hash, verify });
	};
};
