import { isOlder } from "../../../src/engine/check-versions.ts";
import { FIXED_WEAKNESSES } from "../../../src/engine/fixed-weaknesses.ts";

type Running = { auth: { $context: Promise<{ version: string }> } };

/** Whether the installed version of the engine has the fix of a row, so that the attack must fail. */
export const isFixed = async ({ auth }: Running, feature: string): Promise<boolean> => {
	const row = FIXED_WEAKNESSES.find((candidate) => candidate.feature === feature);
	if (!row) throw new Error(`no row for ${feature}`);
	return !isOlder((await auth.$context).version, row.fixedIn);
};
