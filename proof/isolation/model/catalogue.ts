import { administrate, administrateWithoutRight } from "./commands/admins.ts";
import { administrateElsewhere, nameForeign, organizeElsewhere } from "./commands/foreign-ids.ts";
import { forgeTag, hintElsewhere, mixCredentials } from "./commands/foreign-sessions.ts";
import { replayChallenge, replayCode, replayLink, useNamesakesPassword } from "./commands/foreign-tokens.ts";
import { changeEmail, resetPassword, useEmailOtp, useMagicLink, verifyEmail } from "./commands/mails.ts";
import { acceptInvitation, organize } from "./commands/organizations.ts";
import { changePassword, deleteUser, signIn, signOut, signUp } from "./commands/passwords.ts";
import { usePhone } from "./commands/phones.ts";
import { answerChallenge, switchSecondFactor } from "./commands/second-factor.ts";
import { getSession, useOneTimeToken, useSession, useSeveralSessions } from "./commands/sessions.ts";
import {
	finishLink,
	finishSocial,
	replayFlow,
	replayUsedFlow,
	startLink,
	startSocial,
	type WhoIs,
} from "./commands/social.ts";
import {
	createTenant,
	deleteTenant,
	type Leftovers,
	manageConfig,
	manageTenant,
	manageWithoutRight,
	nameGoneTenant,
	readMethods,
	wantsTenant,
} from "./commands/tenants.ts";
import type { Roll } from "./roll.ts";
import type { Model } from "./state.ts";
import type { Plan, Step } from "./step.ts";
import type { World } from "./world.ts";

/** The weight of each kind of operation. Four in ten replay what another tenant issued. */
export const WEIGHTS = {
	deleteTenant: 3,
	manageTenant: 12,
	manageConfig: 6,
	readMethods: 4,
	signUp: 60,
	signIn: 80,
	signOut: 25,
	changePassword: 15,
	deleteUser: 12,
	getSession: 70,
	useSession: 45,
	useOneTimeToken: 20,
	useSeveralSessions: 25,
	resetPassword: 40,
	verifyEmail: 30,
	changeEmail: 30,
	useMagicLink: 35,
	useEmailOtp: 45,
	usePhone: 35,
	switchSecondFactor: 14,
	answerChallenge: 40,
	administrate: 40,
	organize: 30,
	acceptInvitation: 10,
	manageWithoutRight: 15,
	nameGoneTenant: 5,
	administrateWithoutRight: 10,
	hintElsewhere: 70,
	forgeTag: 35,
	mixCredentials: 10,
	replayLink: 100,
	replayCode: 60,
	replayChallenge: 30,
	useNamesakesPassword: 60,
	administrateElsewhere: 60,
	nameForeign: 25,
	organizeElsewhere: 40,
	startSocial: 8,
	finishSocial: 10,
	startLink: 5,
	finishLink: 6,
	replayFlow: 12,
	replayUsedFlow: 5,
} as const;

export type Kind = keyof typeof WEIGHTS;

export type Catalogue = { plan: (kind: Kind, model: Model, roll: Roll) => Step | null };

/** All operations, on one running world. */
export const createCatalogue = (world: World): Catalogue => {
	const promote = async (userId: string): Promise<void> => {
		await world.rows.beside(`update "user" set "role" = 'admin' where "id" = $1`, [userId]);
	};
	const leftovers: Leftovers = async (tenantId) => [
		...(await world.rows.heldBy(tenantId)),
		...((await world.keys?.heldBy(tenantId)) ?? []),
	];
	const whoIs: WhoIs = async (tenantId, email) => {
		const [row] = await world.rows.beside(
			`select u."id" as "userId", a."id" as "accountId", u."emailVerified" as "verified"
				from "user" u join "account" a on a."userId" = u."id" and a."providerId" = 'gitlab'
				where u."tenantId" = $1 and u."email" = $2`,
			[tenantId, email],
		);
		return { userId: String(row?.userId), accountId: String(row?.accountId), verified: row?.verified === true };
	};
	const signUpHere = signUp(promote);
	const plans: Record<Kind, Plan> = {
		deleteTenant: deleteTenant(leftovers),
		manageTenant,
		manageConfig: manageConfig(world.addClient, world.provider.gitlab.issuer),
		readMethods,
		signUp: signUpHere,
		signIn,
		signOut,
		changePassword,
		deleteUser,
		getSession,
		useSession,
		useOneTimeToken,
		useSeveralSessions,
		resetPassword,
		verifyEmail,
		changeEmail,
		useMagicLink,
		useEmailOtp,
		usePhone,
		switchSecondFactor,
		answerChallenge,
		administrate,
		organize,
		acceptInvitation,
		manageWithoutRight,
		nameGoneTenant,
		administrateWithoutRight,
		hintElsewhere,
		forgeTag,
		mixCredentials,
		replayLink,
		replayCode,
		replayChallenge,
		useNamesakesPassword,
		administrateElsewhere,
		nameForeign,
		organizeElsewhere,
		startSocial: startSocial(world.provider.authorize),
		finishSocial: finishSocial(whoIs),
		startLink: startLink(world.provider.authorize),
		finishLink: finishLink(whoIs),
		replayFlow,
		replayUsedFlow,
	};
	/** An operation that does not fit is replaced by one that adds to the world. */
	const instead = (model: Model, roll: Roll): Step | null => {
		const tenant = model.tenants.find(({ people }) => people.size < 3);
		if (tenant || roll.chance(20)) return signUpHere(model, roll);
		const boss = roll.pick(model.tenants)?.people.get(0);
		if (boss && !boss.sessions.some(({ admin }) => admin)) return signIn(onlyWith(model, boss), roll);
		return (roll.chance(60) ? signIn(model, roll) : null) ?? getSession(model, roll) ?? signUpHere(model, roll);
	};
	return {
		plan: (kind, model, roll) =>
			(wantsTenant(model) ? createTenant(model, roll) : null) ?? plans[kind](model, roll) ?? instead(model, roll),
	};
};

/** The model with one user to choose from. */
const onlyWith = (model: Model, person: NonNullable<ReturnType<Model["anyPerson"]>>): Model => ({
	...model,
	anyPerson: () => person,
});
