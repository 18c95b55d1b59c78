import { BetterAuthError } from "@better-auth/core/error";
import type { Limit } from "./count-in-window.ts";
import type { Shares, SharesOptions } from "./shares.ts";

export const notNegative = (name: string, value: number): number => {
	if (!Number.isFinite(value) || value < 0)
		throw new BetterAuthError(`tenantAuth: ${name} must be a number of seconds, 0 or more.`);
	return value;
};

export const aboveZero = (name: string, value: number): number => {
	if (!Number.isFinite(value) || value <= 0)
		throw new BetterAuthError(`tenantAuth: ${name} must be a number of seconds above 0.`);
	return value;
};

export const limit = (name: string, value: Limit | false): Limit | false =>
	value && { window: positive(`${name}.window`, value.window), max: positive(`${name}.max`, value.max) };

export const shares = (value: SharesOptions | false): Shares | false =>
	value && {
		perNetwork: positive("limits.shares.perNetwork", value.perNetwork ?? 10_000),
		perTenant: positive("limits.shares.perTenant", value.perTenant ?? 50_000),
	};

/** Bounded, because a list of sessions in the secondary storage has 524,288 characters at most. */
export const sessionsPerUser = (value: number | false): number | false => {
	if (value !== false && (!Number.isInteger(value) || value < 1 || value > 1_000))
		throw new BetterAuthError("tenantAuth: limits.sessionsPerUser must be a whole number, 1 to 1000, or false.");
	return value;
};

/** Bounded, so that a longer impersonation leaves more than one audit entry. */
export const impersonationMaxAge = (value = 900): number => {
	if (!Number.isInteger(value) || value < 1 || value > 3600)
		throw new BetterAuthError(
			"tenantAuth: management.impersonation.maxAge must be a whole number of seconds, 1 to 3600.",
		);
	return value;
};

export const positive = (name: string, value: number): number => {
	if (!Number.isInteger(value) || value < 1)
		throw new BetterAuthError(`tenantAuth: ${name} must be a whole number, 1 or more.`);
	return value;
};
