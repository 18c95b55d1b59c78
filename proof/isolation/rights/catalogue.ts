import type { Roll } from "../model/roll.ts";
import { administrate, ban, endSessions, remove, resetFactor, setRole, unban } from "./actions/administration.ts";
import { answerChallenge, beginFactor, confirmFactor } from "./actions/factors.ts";
import { acceptInvitation, changePassword, resetPassword, revokeSessions } from "./actions/own-ends.ts";
import { signIn, useKey, useSession } from "./actions/sessions.ts";
import { changePolicy, restore, suspend } from "./actions/tenants.ts";
import { addPhone, approveDevice, generateToken, makeKey, redeemDevice, redeemToken } from "./actions/ways-in.ts";
import type { Plan } from "./step.ts";

/** What uses rights, and what gives them back, with weights. */
const USES: [Plan, number][] = [
	[signIn, 16],
	[useSession, 14],
	[useKey, 10],
	[makeKey, 14],
	[addPhone, 5],
	[approveDevice, 3],
	[redeemDevice, 3],
	[generateToken, 4],
	[redeemToken, 3],
	[beginFactor, 6],
	[confirmFactor, 4],
	[answerChallenge, 4],
	[administrate, 10],
	[unban, 6],
	[restore, 4],
];

/** What ends rights. */
const ENDS: [Plan, number][] = [
	[ban, 5],
	[endSessions, 3],
	[resetFactor, 4],
	[remove, 1],
	[setRole, 7],
	[resetPassword, 4],
	[changePassword, 4],
	[revokeSessions, 3],
	[acceptInvitation, 5],
	[suspend, 1],
	[changePolicy, 4],
];

const drawFrom = (plans: [Plan, number][], roll: Roll): Plan => {
	let left = roll.below(plans.reduce((sum, [, weight]) => sum + weight, 0));
	for (const [plan, weight] of plans) {
		if (left < weight) return plan;
		left -= weight;
	}
	return signIn;
};

/** More of what ends rights while requests are under way. */
export const drawPlan = (roll: Roll, areHeld: boolean): Plan =>
	drawFrom(roll.chance(areHeld ? 55 : 20) ? ENDS : USES, roll);
