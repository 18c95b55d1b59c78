import type { GenericEndpointContext } from "@better-auth/core";
import type { Where } from "@better-auth/core/db/adapter";
import { networkOf } from "../../engine/client-network.ts";
import { sha256Text } from "../../lib/sha256.ts";
import type { ScopedMethods } from "../../scope/data/adapter.ts";
import { definePart } from "../../scope/pin/request-record.ts";
import { countInWindow, type Limit, type SharedCount } from "./count-in-window.ts";
import { refuseIfLate } from "./refuse.ts";

type With = {
	limit: Limit | false;
	/** the share of the limit that one IP address can use up */
	part: number;
	shared: SharedCount | undefined;
	/** the table of second factors */
	isFactors: (model: string) => boolean;
};

/** The request that guesses, and what its counters are derived from. */
type Guess = { tenantId: string; secret: string; address: string | null };

/** Body fields in which the engine's endpoints take a code that was mailed, sent by SMS, or shown by an app. */
const CODE_FIELDS = ["otp", "code"];

/**
 * Counts the codes that are tried for one user, on all endpoints that take one. A code has few digits, and each mail brings
 * a new one with new attempts, so that only a count over a long time bounds the guesses.
 *
 * Recognizes a guess by what the request sends, so an endpoint that the engine adds is covered. Nothing else is refused: a
 * user whose codes were used up by an attacker signs in with a password, a link or a passkey.
 */
export const createCodeGuesses = ({ limit, part, shared, isFactors }: With) => {
	const countUser = limit && countInWindow(limit, shared);
	const countAddress = limit && countInWindow({ ...limit, max: Math.ceil(limit.max / part) }, shared);
	/** a guess whose user is not named in the request: the endpoint finds them by a cookie or a session */
	const unnamed = definePart<{ guess: Guess | null }>(() => ({ guess: null }));

	/** Whether a request contains a code. */
	const isGuess = (ctx: GenericEndpointContext): boolean =>
		limit !== false && ctx.request !== undefined && containsCode(ctx.body);

	const count = async ({ tenantId, secret, address }: Guess, user: string): Promise<void> => {
		if (!countUser || !countAddress) return;
		const key = await sha256Text([secret, tenantId, user].join("\n"));
		const refusal = { code: "TOO_MANY_CODES", owner: { tenantId, network: address ?? "" } } as const;
		if (address) await refuseIfLate(countAddress, `code-address:${await sha256Text(`${key}\n${address}`)}`, refusal);
		await refuseIfLate(countUser, `code:${key}`, refusal);
	};

	const remember = (guess: Guess | null): void => {
		const known = unnamed.now();
		if (known) known.guess = guess;
	};

	return {
		isGuess,
		/** Counts a request that contains a code, for the users that it names. */
		before: async (ctx: GenericEndpointContext, tenantId: string, users: string[]): Promise<void> => {
			if (!ctx.request || !isGuess(ctx)) return;
			const { secret, options } = ctx.context;
			const guess = { tenantId, secret, address: networkOf(ctx.request, options) };
			for (const user of users) await count(guess, user);
			remember(guess);
		},
		/** Counts a code of a second factor, when the engine looks for the factor of the user that it found. */
		countFactors: (methods: ScopedMethods): ScopedMethods => ({
			...methods,
			findOne: async (query) => {
				const guess = isFactors(query.model) ? unnamed.peek()?.guess : null;
				const userId = guess && userIn(query.where);
				if (guess && userId) {
					// an endpoint that reads the factor twice counts once
					remember(null);
					await count(guess, `id:${userId}`);
				}
				return methods.findOne(query);
			},
		}),
	};
};

const containsCode = (body: unknown): boolean =>
	typeof body === "object" &&
	body !== null &&
	CODE_FIELDS.some((field) => {
		const value = (body as Record<string, unknown>)[field];
		return typeof value === "string" || typeof value === "number";
	});

const userIn = (where: Where[] | undefined): string | null => {
	const value = where?.find(({ field }) => field === "userId")?.value;
	return typeof value === "string" ? value : null;
};
