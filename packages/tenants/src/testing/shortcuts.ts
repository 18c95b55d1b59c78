import type { AuthContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import { servicesOf } from "../services.ts";
import { sha256Text } from "../sha256.ts";

const MARK = "isolation-test:";
const QUICK = Symbol("quick-hash");

/**
 * Turns off what slows down or rejects thousands of calls from one address: the rate limiter, slow password hashes and
 * padded response times. None of them keeps tenants apart. Returns a function that turns them on again. Throws during
 * another run: it would take the shortcuts for the application's own functions, and leave them on when it ends.
 */
export const takeShortcuts = (context: AuthContext): (() => void) => {
	const { rateLimit, password } = context;
	const services = servicesOf({ context });
	if (QUICK in password.hash)
		throw new BetterAuthError(
			"assertTenantIsolation: another run attacks the same auth. Await it first: each run would report the changes of the other.",
		);
	const { enabled } = rateLimit;
	const { hash, verify } = password;
	const { responseFloor } = services;
	const quickHash = async (text: string) => MARK + (await sha256Text(text));
	rateLimit.enabled = false;
	services.responseFloor = 0;
	password.hash = Object.assign(quickHash, { [QUICK]: true });
	password.verify = async (given) =>
		given.hash.startsWith(MARK) ? given.hash === (await quickHash(given.password)) : verify(given);
	return () => {
		rateLimit.enabled = enabled;
		services.responseFloor = responseFloor;
		Object.assign(password, { hash, verify });
	};
};
