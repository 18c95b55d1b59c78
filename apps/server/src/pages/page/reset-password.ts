import { createHash } from "node:crypto";
import { type Failure, failureOf, failureOfURL } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { form, hidden, linkButton, submit } from "../view/parts.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
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
		const kept = cookies.read("reset");
		return failure || kept === null ? refuse(visit) : show(visit, kept, null);
	},
	post: async (visit) => {
		const { cookies, flow } = visit;
		const token = cookies.read("reset");
		if (token === null) return refuse(visit);
		// another link was opened meanwhile, and it may change the password of another account
		if (fieldOf(visit, "link") !== markOf(token)) {
			cookies.remove("reset");
			return refuse(visit, 409);
		}
		const newPassword = visit.form.get("password") ?? "";
		const answer = await visit.ask({ method: "POST", path: "/reset-password", body: { newPassword, token } });
		if (answer.ok) {
			cookies.remove("reset");
			return { to: flow.link("/sign-in", { notice: "password-changed" }) };
		}
		const failure = failureOf(answer);
		if (failure.key !== "linkInvalid") return show(visit, token, failure, answer.status);
		cookies.remove("reset");
		return refuse(visit);
	},
};

/** Says for which link a form was shown, without its token. */
const markOf = (token: string): string => createHash("sha256").update(token).digest("base64url");

const show = ({ texts, flow }: Visit, token: string, failure: Failure | null, status = 200): PageAnswer => ({
	status,
	view: {
		title: texts.reset.title,
		isError: failure !== null,
		body: [
			h("p", { class: "intro" }, texts.reset.intro),
			failureNotice(texts, failure, ["password"]),
			form(
				flow.link("/reset-password"),
				hidden("link", markOf(token)),
				newPasswordField(texts, texts.fields.newPassword, failure),
				submit(texts.reset.action),
			),
		],
	},
});

const refuse = ({ texts, flow }: Visit, status = 400): PageAnswer => ({
	status,
	view: {
		title: texts.reset.title,
		isError: true,
		body: [
			failureNotice(texts, { key: "linkInvalid" }),
			linkButton(flow.link("/forgot-password"), texts.reset.again, true),
		],
	},
});
