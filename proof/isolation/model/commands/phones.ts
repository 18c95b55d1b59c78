import { succeeds } from "../expectations.ts";
import { claimOf, phoneOf, SLOTS } from "../state.ts";
import type { Plan } from "../step.ts";
import { entry, member, messageIn, openSession, ownStep, sends } from "./build.ts";
import { isSignedIn } from "./passwords.ts";

/** A code by text message: to verify a number, to sign in with it, or to set a new password. */
export const usePhone: Plan = (model, roll) => {
	const reset = roll.chance(30);
	const kind = reset ? "phone-reset" : "phone";
	const minted = roll.chance(60) ? model.ring.usable(kind, roll) : null;
	if (!minted) {
		const person = model.anyPerson(roll, ({ slot, phone, banned }) => slot < SLOTS && !banned && (phone || !reset));
		if (!person) return null;
		const { tenant, slot } = person;
		const path = reset ? "/phone-number/request-password-reset" : "/phone-number/send-otp";
		return ownStep(
			reset ? "phone.request-reset" : "phone.send",
			person,
			entry(tenant, path, { phoneNumber: phoneOf(slot) }, roll),
			{
				check: sends(kind, phoneOf(slot)),
				settle: (answer) => {
					model.ring.replace(kind, tenant, phoneOf(slot));
					const value = messageIn(answer, kind)?.secret ?? "";
					model.ring.add({ kind, tenant, slot, value, to: phoneOf(slot) });
				},
			},
		);
	}
	const { tenant, slot, value, to } = minted;
	const person = tenant.people.get(slot);
	if (!person || person.banned || person.sessions.length >= 4) return null;
	const use = () => {
		minted.usable = false;
	};
	if (reset) {
		if (!person.phone) return null;
		const newPassword = model.nextPassword(tenant, slot);
		const body = { phoneNumber: to, otp: value, newPassword };
		return ownStep("phone.reset", person, entry(tenant, "/phone-number/reset-password", body, roll), {
			settle: () => {
				use();
				person.password = newPassword;
			},
		});
	}
	if (person.phone) {
		const body = { phoneNumber: to, code: value };
		return ownStep("phone.sign-in", person, entry(tenant, "/phone-number/verify", body, roll), {
			check: (answer) => succeeds(answer) ?? isSignedIn(person, answer),
			settle: (answer) => {
				use();
				openSession(model, person, answer);
			},
		});
	}
	const session = roll.pick(person.sessions);
	if (!session) return null;
	const body = { phoneNumber: to, code: value, updatePhoneNumber: true };
	return ownStep("phone.prove", person, member(session, "POST", "/phone-number/verify", { body }, roll), {
		claims: [claimOf(person)],
		settle: () => {
			use();
			person.phone = true;
		},
	});
};
