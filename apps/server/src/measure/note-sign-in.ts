import { runInRequest } from "../lib/request-context.ts";
import type { Logger } from "../observe/logger.ts";
import type { AppContext } from "../request/environment.ts";
import type { Metrics } from "./metrics.ts";
import type { SignInCounts } from "./sign-in-counts.ts";
import { reasonOf, signInOf } from "./sign-ins.ts";

export type SignInNotes = ReturnType<typeof createSignInNotes>;

/** Counts a response of the engine if it is one to a sign-in, and logs a sign-in that did not succeed. */
export const createSignInNotes =
	(logger: Logger, metrics: Metrics, counts: Pick<SignInCounts, "note"> | null = null) =>
	async (c: AppContext, pattern: string, response: Response): Promise<void> => {
		const { context, caller } = c.var;
		const signIn = signInOf({ pattern, provider: context.provider, response });
		if (!signIn) return;
		metrics.signIn(signIn);
		counts?.note({ tenantId: context.tenantId, ...signIn });
		if (signIn.outcome !== "refused" && signIn.outcome !== "failed") return;
		const line = { ...signIn, address: caller?.address ?? null, reason: await reasonOf(response) };
		runInRequest(context, () => logger.warn(line, "sign-in did not succeed"));
	};
