import { Browser } from "test-kit/browser";
import type { Credential } from "../beliefs.ts";
import { present } from "../present.ts";
import type { Given, Plan, Step } from "../step.ts";
import type { Ticket } from "../ticket.ts";
import { addSession } from "./sessions.ts";

/** A session of somebody. */
export const pickSession = ({ model, roll }: Given): Credential | null => {
	const person = model.anyPerson(roll);
	return person && model.pick(person, "session", roll);
};

/** A step that needs nothing but a credential. */
export const stepWith = (name: string, credential: Credential, more: Pick<Step, "send"> & Partial<Step>): Step => ({
	name,
	right: { credential, role: "member" },
	about: credential.person,
	...more,
});

const madeAt = ({ began, presented }: Ticket): Pick<Credential, "began" | "presented"> => ({
	began,
	...(presented === null ? {} : { presented }),
});

export const makeKey: Plan = ({ model, world, roll }) => {
	const byKey = roll.chance(20);
	const person = model.anyPerson(roll);
	const maker = person && model.pick(person, byKey ? "key" : "session", roll);
	if (!person || !maker) return null;
	const call = { ...present(maker), body: { name: "ci" } };
	return stepWith(byKey ? "make an API key with an API key" : "make an API key", maker, {
		send: () => world.call("/api-key/create", call),
		settle: ({ json }, ticket) =>
			model.add({ kind: "key", person, ...madeAt(ticket), by: maker, secret: json.key, browser: null }),
	});
};

export const addPhone: Plan = async (given) => {
	const [session, { model, world }] = [pickSession(given), given];
	if (!session) return null;
	const phoneNumber = `+49151${String(10_000_000 + model.nextName())}`;
	await world.ask("/phone-number/send-otp", { tenant: session.person.tenant.id, body: { phoneNumber } });
	const body = { phoneNumber, code: world.outbox.get(phoneNumber) ?? "", updatePhoneNumber: true };
	const call = { ...present(session), body };
	return stepWith("add a phone number", session, { send: () => world.call("/phone-number/verify", call) });
};

export const approveDevice: Plan = async (given) => {
	const [session, { model, world }] = [pickSession(given), given];
	if (!session) return null;
	const { person } = session;
	const { json } = await world.ask("/device/code", { tenant: person.tenant.id, body: { client_id: "tv" } });
	if (!json?.user_code) return null;
	const { user_code: userCode, device_code: secret } = json;
	await world.ask("/device", { ...present(session), query: { user_code: userCode } });
	const call = { ...present(session), body: { userCode } };
	return stepWith("approve a device", session, {
		send: () => world.call("/device/approve", call),
		settle: (_, ticket) => model.add({ kind: "device", person, ...madeAt(ticket), by: session, secret, browser: null }),
	});
};

export const generateToken: Plan = (given) => {
	const [session, { model, world }] = [pickSession(given), given];
	if (!session) return null;
	const { person } = session;
	const call = present(session);
	return stepWith("generate a one-time token", session, {
		send: () => world.call("/one-time-token/generate", call),
		settle: ({ json }, { began }) =>
			model.add({ kind: "token", person, began, by: session, secret: json.token, browser: null }),
	});
};

export const redeemToken: Plan = ({ model, world, roll }) => {
	const person = model.anyPerson(roll);
	const token = person && model.pick(person, "token", roll);
	if (!person || !token) return null;
	const browser = new Browser();
	const call = { tenant: person.tenant.id, browser, body: { token: token.secret } };
	return stepWith("redeem a one-time token", token, {
		allowsPending: true,
		send: () => world.call("/one-time-token/verify", call),
		settle: (_, ticket) => void addSession(model, token, { browser }, ticket),
	});
};

export const redeemDevice: Plan = ({ model, world, roll }) => {
	const person = model.anyPerson(roll);
	const device = person && model.pick(person, "device", roll);
	if (!person || !device) return null;
	const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
	const body = { grant_type, client_id: "tv", device_code: device.secret };
	return stepWith("redeem a device code", device, {
		allowsPending: true,
		send: () => world.call("/device/token", { tenant: person.tenant.id, body }),
		settle: ({ json }, ticket) => void addSession(model, device, { token: json.access_token }, ticket),
	});
};
