import type { PageCatalog } from "../catalog/en.ts";
import { type Child, h } from "../view/h.ts";
import { form, linkButton, notice, secondary } from "../view/parts.ts";
import { type Page, signedInEmail } from "../visit.ts";
import { choosePassword, mustChoosePassword } from "./choose-password.ts";

/** Says who is signed in. It does not lead on by itself: an application that sends visitors back would form a loop. */
export const signedInPage: Page = {
	get: async (visit) => {
		const { texts, flow, name, methods, api } = visit;
		const email = await signedInEmail(visit);
		if (email === null) return { to: flow.link("/sign-in") };
		return {
			view: {
				title: texts.signedIn.title,
				body: [
					flow.query.get("notice") === "joined" && notice(texts.invitation.welcome(name)),
					h("p", null, texts.signedIn.as(email)),
					mustChoosePassword(visit) && choosePassword(visit, email),
					flow.returnTo !== null && linkButton(flow.returnTo, texts.signedIn.action, true),
					methods.passkey.enabled && addPasskey(texts.passkey, api),
					form(flow.link("/sign-out"), secondary(texts.signedIn.signOut)),
				],
			},
		};
	},
};

/** Only a script can create a passkey, so the button is hidden until there is one. */
const addPasskey = ({ add, added, addFailed }: PageCatalog["passkey"], api: string): Child => [
	h("p", { class: "notice error", role: "alert", id: "passkey-error", hidden: true }),
	h(
		"button",
		{
			type: "button",
			class: "button",
			hidden: true,
			"data-add-passkey": api,
			"data-added": added,
			"data-failed": addFailed,
		},
		add,
	),
];
