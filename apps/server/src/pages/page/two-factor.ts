import { type Failure, failureOf } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { checkbox, field, form, link, notice, submit } from "../view/parts.ts";
import { fieldOf, type Page, type PageAnswer, type Visit } from "../visit.ts";
import { afterSignIn } from "./after-sign-in.ts";

const KINDS = ["totp", "otp", "backup"] as const;
type Kind = (typeof KINDS)[number];

const ENDPOINTS: Record<Kind, string> = {
	totp: "/two-factor/verify-totp",
	otp: "/two-factor/verify-otp",
	backup: "/two-factor/verify-backup-code",
};

/** The second factor of a sign-in: a code of an app, of a mail, or a backup code. */
export const twoFactorPage: Page = {
	get: async (visit) => show(visit, null),
	post: async (visit) => {
		const { flow, form: sent } = visit;
		if (sent.get("send") === "otp") {
			const answer = await visit.ask({ method: "POST", path: "/two-factor/send-otp", body: {} });
			if (!answer.ok) return show(visit, failureOf(answer), answer.status);
			return { to: flow.link("/two-factor", { ...carried(visit), step: "otp", notice: "sent" }) };
		}
		const code = fieldOf(visit, "code").replace(/\s/g, "");
		if (code === "") return show(visit, { key: "missing", field: "code" }, 400);
		const answer = await visit.ask({
			method: "POST",
			path: ENDPOINTS[kindOf(visit)],
			body: {
				code,
				trustDevice: sent.get("trust") === "yes",
				...(flow.oauthQuery !== null ? { oauth_query: flow.oauthQuery } : {}),
			},
		});
		if (answer.ok) return afterSignIn(visit, answer);
		return show(visit, failureOf(answer), answer.status);
	},
};

const offered = ({ flow }: Visit): Kind[] => {
	const given = (flow.query.get("methods") ?? "totp").split(".");
	return KINDS.filter((kind) => kind === "backup" || given.includes(kind));
};
const carried = (visit: Visit) => ({
	methods: offered(visit)
		.filter((kind) => kind !== "backup")
		.join("."),
});
const kindOf = (visit: Visit): Kind => {
	const kinds = offered(visit);
	return kinds.find((kind) => kind === visit.flow.query.get("step")) ?? kinds[0] ?? "totp";
};

const show = (visit: Visit, failure: Failure | null, status = 200): PageAnswer => {
	const { texts, flow } = visit;
	const { twoFactor } = texts;
	const kinds = offered(visit);
	const kind = kindOf(visit);
	// without an app, the first code must be asked for
	const wasSent = kind !== "otp" || flow.query.get("step") === "otp";
	const at = (step: Kind) => flow.link("/two-factor", { ...carried(visit), step });
	return {
		status,
		view: {
			title: twoFactor.title,
			isError: failure !== null,
			body: [
				failureNotice(texts, failure, wasSent ? ["code"] : []),
				flow.query.get("notice") === "sent" && !failure && notice(texts.notices.codeSent),
				wasSent && h("p", { class: "intro" }, twoFactor[kind]),
				wasSent &&
					form(
						at(kind),
						field({
							name: "code",
							label: kind === "backup" ? texts.fields.backupCode : texts.fields.code,
							autocomplete: kind === "backup" ? "off" : "one-time-code",
							...(kind === "backup" ? {} : { inputmode: "numeric" as const }),
							maxlength: 32,
							error: errorAt(texts, failure, "code"),
							autofocus: true,
						}),
						checkbox("trust", twoFactor.trust, false),
						submit(twoFactor.action),
					),
				h(
					"ul",
					{ class: "choices" },
					kinds.includes("otp") &&
						h(
							"li",
							null,
							form(at("otp"), h("button", { class: "link", name: "send", value: "otp" }, twoFactor.useOtp)),
						),
					kinds.includes("totp") && kind !== "totp" && h("li", null, link(at("totp"), twoFactor.useTotp)),
					kind !== "backup" && h("li", null, link(at("backup"), twoFactor.useBackup)),
					h("li", null, link(flow.link("/sign-in"), texts.checkEmail.back)),
				),
			],
		},
	};
};
