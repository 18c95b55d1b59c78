import { failureOfURL } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { linkButton } from "../view/parts.ts";
import { type Page, signedInEmail } from "../visit.ts";
import { choosePassword, mustChoosePassword } from "./choose-password.ts";

/** Where the link of a verification mail leads. Better Auth has verified the address, or says that it has not. */
export const verifiedPage: Page = {
	get: async (visit) => {
		const { texts, flow, cookies } = visit;
		const failure = failureOfURL(flow.query.get("error"), "linkInvalid");
		if (failure)
			return {
				status: 400,
				view: {
					title: texts.verified.failedTitle,
					isError: true,
					body: [failureNotice(texts, failure), linkButton(flow.link("/sign-in"), texts.checkEmail.back, true)],
				},
			};
		cookies.remove("email");
		const removed = mustChoosePassword(visit);
		const body = [
			removed ? choosePassword(visit, await signedInEmail(visit)) : h("p", null, texts.verified.text),
			linkButton(flow.end(), texts.verified.action, !removed),
		];
		return { view: { title: texts.verified.title, body } };
	},
};
