import { type Failure, failureOf } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { field, form, link, submit } from "../view/parts.ts";
import { qrCode } from "../view/qr-code.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
import { afterSignIn } from "./after-sign-in.ts";

/** Sets up an authenticator app where the tenant requires a second factor and the user has none. */
export const setUpTwoFactorPage: Page = {
	get: async (visit) => {
		const { json } = await visit.ask({ method: "GET", path: "/tenant/second-factor" });
		if (json.secondFactor !== "enroll") return { to: visit.flow.link("/sign-in") };
		return askForPassword(visit, null);
	},
	post: async (visit) => {
		const { flow, form: sent } = visit;
		if (sent.has("password")) {
			const body = { password: sent.get("password") ?? "" };
			const answer = await visit.ask({ method: "POST", path: "/two-factor/enable", body });
			if (!answer.ok) return askForPassword(visit, failureOf(answer), answer.status);
			return showKey(visit, String(answer.json.totpURI), listOf(answer.json.backupCodes));
		}
		const code = fieldOf(visit, "code").replace(/\s/g, "");
		if (code === "") return askForCode(visit, { key: "missing", field: "code" }, 400);
		const answer = await visit.ask({
			method: "POST",
			path: "/two-factor/verify-totp",
			body: { code, ...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}) },
		});
		if (answer.ok) return afterSignIn(visit, answer);
		// a wrong code leaves the session as it is, and Better Auth then says what it lacks
		const isWrong = answer.code === "SECOND_FACTOR_REQUIRED";
		return askForCode(visit, isWrong ? { key: "codeWrong", field: "code" } : failureOf(answer), answer.status);
	},
};

const listOf = (given: unknown): string[] => (Array.isArray(given) ? given.map(String) : []);

const askForPassword = ({ texts, flow, name, cookies }: Visit, failure: Failure | null, status = 200): PageAnswer => ({
	status,
	view: {
		title: texts.setUp.title,
		isError: failure !== null,
		body: [
			h("p", { class: "intro" }, texts.setUp.intro(name)),
			failureNotice(texts, failure, ["password"]),
			form(
				flow.link("/set-up-two-factor"),
				// for password managers
				h("input", {
					type: "email",
					name: "email",
					value: cookies.read("email") ?? "",
					autocomplete: "username",
					hidden: true,
				}),
				field({
					name: "password",
					label: texts.fields.password,
					type: "password",
					autocomplete: "current-password",
					error: errorAt(texts, failure, "password"),
					autofocus: true,
					data: { "data-show": texts.password.show },
				}),
				submit(texts.setUp.begin),
			),
			h("p", { class: "aside" }, link(flow.link("/sign-in"), texts.checkEmail.back)),
		],
	},
});

/** The only page with the key. It is the response to a form, so no URL leads to it. */
const showKey = (visit: Visit, uri: string, backupCodes: string[]): PageAnswer => {
	const { texts } = visit;
	const code = qrCode(uri, texts.setUp.qrCode);
	const key = URL.parse(uri)?.searchParams.get("secret") ?? "";
	return {
		view: {
			title: texts.setUp.title,
			body: [
				h(
					"ol",
					{ class: "steps" },
					h(
						"li",
						null,
						code && [h("p", null, texts.setUp.scan), code],
						h("p", null, texts.setUp.key, " ", link(uri, texts.setUp.open)),
						h("p", { class: "secret" }, h("code", null, key.replace(/.{4}(?=.)/g, "$& "))),
					),
					h(
						"li",
						null,
						h("p", null, texts.setUp.backup),
						h(
							"ul",
							{ class: "secret codes" },
							backupCodes.map((code) => h("li", null, h("code", null, code))),
						),
					),
					h("li", null, h("p", null, texts.setUp.last), codeForm(visit, null)),
				),
			],
		},
	};
};

const askForCode = (visit: Visit, failure: Failure, status: number): PageAnswer => {
	const { texts, flow } = visit;
	const again = h("p", { class: "aside" }, link(flow.link("/set-up-two-factor"), texts.setUp.again));
	const body = [failureNotice(texts, failure, ["code"]), codeForm(visit, failure), again];
	return { status, view: { title: texts.setUp.title, isError: true, body } };
};

const codeForm = ({ texts, flow }: Visit, failure: Failure | null) =>
	form(
		flow.link("/set-up-two-factor"),
		field({
			name: "code",
			label: texts.setUp.code,
			autocomplete: "one-time-code",
			inputmode: "numeric",
			maxlength: 32,
			error: errorAt(texts, failure, "code"),
		}),
		submit(texts.setUp.action),
	);
