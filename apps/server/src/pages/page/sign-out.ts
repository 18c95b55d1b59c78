import { failureOf } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { form, linkButton, submit } from "../view/parts.ts";
import type { Page, PageAnswer, Visit } from "../visit.ts";

/** Signs out. A link alone does not: any site could contain it. */
export const signOutPage: Page = {
	get: async (visit) => show(visit),
	post: async (visit) => {
		const answer = await visit.ask({ method: "POST", path: "/sign-out", body: {} });
		return answer.ok ? { to: visit.flow.link("/signed-out") } : show(visit, answer);
	},
};

const show = ({ texts, flow }: Visit, refused?: { status: number; code: string | null }): PageAnswer => ({
	status: refused?.status ?? 200,
	view: {
		title: texts.signOut.title,
		isError: refused !== undefined,
		body: [
			failureNotice(texts, refused ? failureOf(refused) : null),
			form(flow.link("/sign-out"), submit(texts.signOut.action)),
			linkButton(flow.link("/signed-in"), texts.signOut.stay),
		],
	},
});

export const signedOutPage: Page = {
	get: async ({ texts, flow }) => ({
		view: { title: texts.signedOut.title, body: [linkButton(flow.link("/sign-in"), texts.signedOut.action, true)] },
	}),
};
