import { type Failure, failureOf, failureOfURL } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { form, linkButton, submit } from "../view/parts.ts";
import type { Page, PageAnswer, Visit } from "../visit.ts";
import { newPasswordField } from "./new-password-field.ts";

/** Where the link of a reset mail leads. The token moves from the URL to a cookie, so it stays in no history. */
export const resetPasswordPage: Page = {
	get: async (visit) => {
		const { flow, cookies } = visit;
		const token = flow.query.get("token");
		if (token !== null) {
			cookies.set("reset", token);
			return { to: flow.link("/reset-password") };
		}
		const failure = failureOfURL(flow.query.get("error"), "linkInvalid");
		if (failure || cookies.read("reset") === null) return refuse(visit);
		return show(visit, null);
	},
	post: async (visit) => {
		const { cookies, flow } = visit;
		const token = cookies.read("reset");
		if (token === null) return refuse(visit);
		const newPassword = visit.form.get("password") ?? "";
		const answer = await visit.ask({ method: "POST", path: "/reset-password", body: { newPassword, token } });
		if (answer.ok) {
			cookies.remove("reset");
			return { to: flow.link("/sign-in", { notice: "password-changed" }) };
		}
		const failure = failureOf(answer);
		if (failure.key !== "linkInvalid") return show(visit, failure, answer.status);
		cookies.remove("reset");
		return refuse(visit);
	},
};

const show = ({ texts, flow }: Visit, failure: Failure | null, status = 200): PageAnswer => ({
	status,
	view: {
		title: texts.reset.title,
		isError: failure !== null,
		body: [
			h("p", { class: "intro" }, texts.reset.intro),
			failureNotice(texts, failure, ["password"]),
			form(
				flow.link("/reset-password"),
				newPasswordField(texts, texts.fields.newPassword, failure),
				submit(texts.reset.action),
			),
		],
	},
});

const refuse = ({ texts, flow }: Visit): PageAnswer => ({
	status: 400,
	view: {
		title: texts.reset.title,
		isError: true,
		body: [
			failureNotice(texts, { key: "linkInvalid" }),
			linkButton(flow.link("/forgot-password"), texts.reset.again, true),
		],
	},
});
