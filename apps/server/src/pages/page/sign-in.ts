import { type Failure, failureOf, failureOfURL } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { type Child, h } from "../view/h.ts";
import { icon } from "../view/icons.ts";
import { checkbox, field, form, link, linkButton, notice, submit } from "../view/parts.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
import { afterSignIn } from "./after-sign-in.ts";
import { requestMail } from "./mails.ts";
import { otherMethods } from "./other-methods.ts";

/** Sign-in with all methods of the tenant. */
export const signInPage: Page = {
	get: async (visit) => {
		const { flow, ask } = visit;
		// an OAuth client may ask for a new sign-in, so its visitors are not sent on
		if (flow.oauthQuery === null && !flow.query.has("error")) {
			const { json } = await ask({ method: "GET", path: "/get-session" });
			if (json.session) return { to: flow.link("/signed-in") };
		}
		return show(visit, failureOfURL(flow.query.get("error"), "providerFailed"));
	},
	post: async (visit) => {
		const { flow, methods } = visit;
		const [email, password] = [fieldOf(visit, "email"), visit.form.get("password") ?? ""];
		if (!methods.email.enabled || email === "" || password === "")
			return show(visit, { key: "wrongPassword", field: "password" }, 400);
		const isUsername = methods.username.enabled && !email.includes("@");
		const answer = await visit.ask({
			method: "POST",
			path: isUsername ? "/sign-in/username" : "/sign-in/email",
			body: {
				...(isUsername ? { username: email } : { email }),
				password,
				rememberMe: visit.form.get("remember") === "yes",
				...(flow.returnTo !== null && !isUsername ? { callbackURL: flow.returnTo } : {}),
				...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}),
			},
		});
		if (answer.ok) return afterSignIn(visit, answer);
		if (answer.code === "EMAIL_NOT_VERIFIED" && visit.hasMail) {
			visit.cookies.set("email", email);
			// the password was right, so this reveals nothing; the page offers to send it again
			await requestMail(visit, "verify", email);
			return { to: flow.link("/check-email", { for: "verify" }) };
		}
		return show(visit, failureOf(answer), answer.status);
	},
};

const show = (visit: Visit, failure: Failure | null, status = 200): PageAnswer => {
	const { texts, methods, flow, name } = visit;
	const password = methods.email.enabled ? passwordForm(visit, failure) : null;
	const others = [
		...otherMethods(visit),
		methods.passkey.enabled && linkButton(flow.link("/passkey"), texts.signIn.passkey, false, icon("key")),
	].filter(Boolean);
	const hasNothing = password === null && others.length === 0;
	return {
		status,
		view: {
			title: texts.signIn.title(name),
			isError: failure !== null,
			body: [
				flow.isReturnRefused && notice(texts.errors.returnRefused, "error"),
				flow.query.get("notice") === "password-changed" && notice(texts.notices.passwordChanged),
				failureNotice(texts, failure, password ? ["email", "password"] : []),
				password,
				password !== null && others.length > 0 && h("p", { class: "or" }, h("span", null, texts.signIn.or)),
				others.length > 0 && h("div", { class: "methods" }, others),
				hasNothing && h("p", null, texts.signIn.none),
				methods.email.signUp &&
					h("p", { class: "aside" }, `${texts.signIn.noAccount} `, link(flow.link("/sign-up"), texts.signIn.signUp)),
			],
		},
	};
};

const passwordForm = (visit: Visit, failure: Failure | null): Child => {
	const { texts, methods, flow, hasMail } = visit;
	const wasSent = visit.form.has("email");
	const email = fieldOf(visit, "email") || visit.cookies.read("email") || "";
	return form(
		flow.link("/sign-in"),
		field({
			name: "email",
			label: methods.username.enabled ? texts.fields.emailOrUsername : texts.fields.email,
			type: methods.username.enabled ? "text" : "email",
			value: email,
			autocomplete: "username",
			error: errorAt(texts, failure, "email"),
			autofocus: !wasSent && email === "",
		}),
		field({
			name: "password",
			label: texts.fields.password,
			type: "password",
			autocomplete: "current-password",
			error: errorAt(texts, failure, "password"),
			autofocus: wasSent || email !== "",
			data: { "data-show": texts.password.show },
		}),
		h(
			"div",
			{ class: "row" },
			checkbox("remember", texts.signIn.remember, !wasSent || visit.form.get("remember") === "yes"),
			hasMail && link(flow.link("/forgot-password"), texts.signIn.forgot),
		),
		submit(texts.signIn.action),
	);
};
