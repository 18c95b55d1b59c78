import { h } from "../view/h.ts";
import { form, linkButton, secondary } from "../view/parts.ts";
import type { Page } from "../visit.ts";

/** Says who is signed in. It does not lead on by itself: an application that sends visitors back would form a loop. */
export const signedInPage: Page = {
	get: async ({ texts, flow, ask }) => {
		const { json } = await ask({ method: "GET", path: "/get-session" });
		const { user } = json;
		if (typeof user !== "object" || user === null || !("email" in user)) return { to: flow.link("/sign-in") };
		return {
			view: {
				title: texts.signedIn.title,
				body: [
					h("p", null, texts.signedIn.as(String(user.email))),
					flow.returnTo !== null && linkButton(flow.returnTo, texts.signedIn.action, true),
					form(flow.link("/sign-out"), secondary(texts.signedIn.signOut)),
				],
			},
		};
	},
};
