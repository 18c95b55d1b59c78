import { type Failure, failureOf } from "../failures.ts";
import { errorAt, failureNotice } from "../view/failure.ts";
import { type Child, h } from "../view/h.ts";
import { field, form, hidden, link, linkButton, notice, submit } from "../view/parts.ts";
import { type EngineAnswer, fieldOf, type PageAnswer, signedInEmail, type Visit } from "../visit.ts";
import type { Invitation } from "./invitation.ts";
import { newPasswordField } from "./new-password-field.ts";
import { otherMethods } from "./other-methods.ts";

type Outcome = { failure?: Failure | null; status?: number };

/** The invitation, and the ways to accept it that the visitor has. */
export const showInvitation = async (visit: Visit, shown: Invitation, outcome: Outcome): Promise<PageAnswer> => {
	const { texts, name, cookies } = visit;
	const { failure = null, status = 200 } = outcome;
	const signedIn = await signedInEmail(visit);
	// for the pages that the visitor may go through: sign-in, a mailed link or code
	cookies.set("email", shown.email);
	const isSignedIn = signedIn?.toLowerCase() === shown.email;
	const ways = isSignedIn
		? asSignedIn(visit, shown, failure)
		: signedIn !== null
			? asAnother(visit, signedIn)
			: asVisitor(visit, shown, failure);
	return {
		status,
		view: {
			title: texts.invitation.title(name),
			isError: failure !== null,
			body: [facts(visit, shown, signedIn !== null || failure?.key === "signInToAccept"), ...ways],
		},
	};
};

/** Who invites, the role and, if no field has it, the address. */
const facts = ({ texts: { invitation } }: Visit, shown: Invitation, hasEmail: boolean): Child => {
	const rows = [
		...(shown.inviter.length > 0 ? [[invitation.inviter, ...shown.inviter]] : []),
		[invitation.role, invitation.roles[shown.role]],
		...(hasEmail ? [[invitation.invited, shown.email]] : []),
	];
	return h(
		"dl",
		{ class: "facts" },
		rows.map(([label, ...values]) =>
			h(
				"div",
				null,
				h("dt", null, label),
				values.map((value) => h("dd", null, value)),
			),
		),
	);
};

/** The same for every reason. */
export const refuseInvitation = ({ texts, flow, cookies }: Visit): PageAnswer => {
	cookies.remove("invitation");
	const { invalidTitle, invalid, invalidHint } = texts.invitation;
	return {
		status: 404,
		view: {
			title: invalidTitle,
			isError: true,
			body: [
				notice(invalid, "error"),
				h("p", null, invalidHint),
				linkButton(flow.link("/sign-in"), texts.checkEmail.back),
			],
		},
	};
};

/** The API could not say anything about the invitation. */
export const unreadInvitation = ({ texts, flow }: Visit, answer: EngineAnswer): PageAnswer => ({
	status: answer.status,
	view: {
		title: texts.errors.failedTitle,
		isError: true,
		body: [
			failureNotice(texts, failureOf(answer)),
			linkButton(flow.link("/accept-invitation"), texts.errors.retry, true),
		],
	},
});

const asSignedIn = ({ texts, flow, hasMail }: Visit, { email }: Invitation, failure: Failure | null): Child[] => {
	const isUnverified = failure?.key === "notVerified";
	return [
		failureNotice(texts, failure, ["password"]),
		isUnverified && hasMail
			? form(flow.link("/check-email", { for: "verify", returnTo: back(flow) }), submit(texts.invitation.verify))
			: form(
					flow.link("/accept-invitation"),
					hidden("email", email),
					failure?.field === "password" && currentPasswordField(texts, failure),
					submit(texts.invitation.accept),
				),
	];
};

/** For a user whose role rises: a session alone does not show that nobody else knows the password. */
const currentPasswordField = (texts: Visit["texts"], failure: Failure): Child =>
	field({
		name: "password",
		label: texts.fields.password,
		type: "password",
		autocomplete: "current-password",
		error: errorAt(texts, failure, "password"),
		autofocus: true,
		data: { "data-show": texts.password.show },
	});

const asAnother = ({ texts, flow }: Visit, signedIn: string): Child[] => [
	notice(texts.invitation.other(signedIn)),
	form(flow.link("/accept-invitation"), hidden("do", "sign-out"), submit(texts.invitation.change)),
];

const asVisitor = (visit: Visit, { email }: Invitation, failure: Failure | null): Child[] => {
	const { texts, methods, flow } = visit;
	const signIn = flow.link("/sign-in", { returnTo: back(flow) });
	if (failure?.key === "signInToAccept")
		return [failureNotice(texts, failure), linkButton(signIn, texts.signIn.action, true)];
	const others = otherMethods(visit, back(flow)).filter(Boolean);
	const hasPassword = methods.email.enabled;
	if (!hasPassword && others.length === 0) return [failureNotice(texts, failure), h("p", null, texts.signIn.none)];
	return [
		failureNotice(texts, failure, hasPassword ? ["name", "password"] : []),
		hasPassword && newUserForm(visit, email, failure),
		hasPassword && others.length > 0 && h("p", { class: "or" }, h("span", null, texts.signIn.or)),
		others.length > 0 && h("div", { class: "methods" }, others),
		h("p", { class: "aside" }, `${texts.signUp.haveAccount} `, link(signIn, texts.signUp.signIn)),
	];
};

const newUserForm = (visit: Visit, email: string, failure: Failure | null): Child => {
	const { texts, flow } = visit;
	return form(
		flow.link("/accept-invitation"),
		// a field, so that password managers keep the address with the password
		field({
			name: "email",
			label: texts.fields.email,
			type: "email",
			value: email,
			autocomplete: "username",
			readonly: true,
		}),
		field({
			name: "name",
			label: texts.fields.name,
			value: fieldOf(visit, "name"),
			autocomplete: "name",
			maxlength: 100,
			error: errorAt(texts, failure, "name"),
			autofocus: failure?.field !== "password",
		}),
		newPasswordField(texts, texts.fields.password, failure),
		submit(texts.invitation.create),
	);
};

/** Where the visitor comes back to, to accept. */
const back = (flow: Visit["flow"]): string => flow.link("/accept-invitation", { step: "joined" });
