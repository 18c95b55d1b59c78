import { h } from "../view/h.ts";
import { link } from "../view/parts.ts";
import type { Page } from "../visit.ts";

/** Sign-in with a passkey, which only a script can read. Without one, the page says so. */
export const passkeyPage: Page = {
	get: async ({ texts, flow, api, methods }) => {
		if (!methods.passkey.enabled) return { to: flow.link("/sign-in") };
		const { passkey } = texts;
		const button = h(
			"button",
			{
				type: "button",
				class: "button primary",
				hidden: true,
				"data-passkey": api,
				"data-end": flow.end(),
				"data-oauth": flow.oauthQuery ?? undefined,
				"data-failed": passkey.failed,
				"data-unsupported": passkey.unsupported,
			},
			passkey.action,
		);
		return {
			view: {
				title: passkey.title,
				body: [
					h("p", { class: "intro" }, passkey.intro),
					h("p", { class: "notice error", role: "alert", id: "passkey-error", hidden: true }),
					h("noscript", null, h("p", { class: "notice error" }, passkey.noScript)),
					button,
					h("p", { class: "aside" }, link(flow.link("/sign-in"), passkey.back)),
				],
			},
		};
	},
};
