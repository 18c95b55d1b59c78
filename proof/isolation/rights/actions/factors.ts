import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { Person } from "../beliefs.ts";
import { present } from "../present.ts";
import type { Plan } from "../step.ts";
import { addSession } from "./sessions.ts";
import { pickSession, stepWith } from "./ways-in.ts";

export const beginFactor: Plan = (given) => {
	const [session, { model, world }] = [pickSession(given), given];
	if (!session) return null;
	const { person } = session;
	const call = { ...present(session), body: { password: model.of(person, "password").at(-1)?.secret } };
	return stepWith("begin a second factor", session, {
		allowsPending: true,
		send: () => {
			person.hasTriedFactor = true;
			return world.call("/two-factor/enable", call);
		},
		settle: ({ json }) => {
			const shown = new URL(json.totpURI).searchParams.get("secret") ?? "";
			person.totp = new TextDecoder().decode(base32.decode(shown));
		},
	});
};

const codeOf = async ({ totp }: Person): Promise<string> => (totp ? createOTP(totp).totp() : "000000");

export const confirmFactor: Plan = async (given) => {
	const [session, { model, world }] = [pickSession(given), given];
	if (!session?.browser || !session.person.totp) return null;
	const browser = session.browser.copy();
	const body = { code: await codeOf(session.person) };
	return stepWith("confirm a second factor", session, {
		allowsPending: true,
		send: () => world.call("/two-factor/verify-totp", { browser, body }),
		settle: (_, ticket) => void addSession(model, session, { browser }, ticket),
	});
};

export const answerChallenge: Plan = async ({ model, world, roll }) => {
	const person = model.anyPerson(roll);
	const challenge = person && model.pick(person, "challenge", roll);
	if (!person || !challenge?.browser) return null;
	const browser = challenge.browser.copy();
	const body = { code: await codeOf(person) };
	return stepWith("answer a challenge", challenge, {
		allowsPending: true,
		send: () => world.call("/two-factor/verify-totp", { tenant: person.tenant.id, browser, body }),
		settle: (_, ticket) => void addSession(model, challenge, { browser }, ticket),
	});
};
