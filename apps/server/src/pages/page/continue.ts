import { failureOf } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { linkButton } from "../view/parts.ts";
import type { Page } from "../visit.ts";

/** Starts a sign-in with a social or SSO provider of the tenant. */
export const continuePage: Page = {
	get: async ({ flow }) => ({ to: flow.link("/sign-in") }),
	post: async ({ flow, form, texts, ask }) => {
		const [provider, sso] = [form.get("provider"), form.get("sso")];
		const answer = await ask({
			method: "POST",
			path: sso ? "/sign-in/sso" : "/sign-in/social",
			body: {
				...(sso ? { providerId: sso } : { provider }),
				callbackURL: flow.end(),
				errorCallbackURL: flow.returnsTo("/accept-invitation") ?? flow.link("/sign-in"),
				...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}),
			},
		});
		if (answer.ok && answer.url !== null) return { to: answer.url };
		const failure = failureOf(answer);
		return {
			status: answer.ok ? 502 : answer.status,
			view: {
				title: texts.errors.failedTitle,
				isError: true,
				body: [
					failureNotice(texts, failure.isUnknown ? { key: "providerFailed", isUnknown: true } : failure),
					linkButton(flow.link("/sign-in"), texts.checkEmail.back, true),
				],
			},
		};
	},
};
