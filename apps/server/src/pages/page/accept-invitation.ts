import { failureOf, failureOfURL } from "../failures.ts";
import { fieldOf, type Page, type PageAnswer, signedInEmail, type Visit } from "../visit.ts";
import { afterSignIn } from "./after-sign-in.ts";
import { type Invitation, readInvitation } from "./invitation.ts";
import { refuseInvitation, showInvitation, unreadInvitation } from "./invitation-view.ts";

/** Where the link of an invitation mail leads. The token moves from the URL to a cookie, so it stays in no history. */
export const acceptInvitationPage: Page = {
	get: async (visit) => {
		const { flow, cookies } = visit;
		const token = flow.query.get("token");
		if (token !== null) {
			cookies.set("invitation", token);
			return { to: flow.link("/accept-invitation") };
		}
		const { invitation, problem } = await readInvitation(visit);
		if (problem) return unreadInvitation(visit, problem);
		if (invitation)
			return showInvitation(visit, invitation, { failure: failureOfURL(flow.query.get("error"), "providerFailed") });
		// a policy may have let the visitor in by the invitation, which used it up
		const hasJoined = flow.query.get("step") === "joined" && (await signedInEmail(visit)) !== null;
		return hasJoined ? welcome(visit) : refuseInvitation(visit);
	},
	post: async (visit) => {
		const { flow, form } = visit;
		if (form.get("do") === "sign-out") {
			const answer = await visit.ask({ method: "POST", path: "/sign-out", body: {} });
			return answer.ok ? { to: flow.link("/accept-invitation") } : unreadInvitation(visit, answer);
		}
		const { invitation, problem } = await readInvitation(visit);
		if (problem) return unreadInvitation(visit, problem);
		return invitation ? accept(visit, invitation) : refuseInvitation(visit);
	},
};

const accept = async (visit: Visit, invitation: Invitation): Promise<PageAnswer> => {
	const { cookies, form } = visit;
	const isNew = form.has("name");
	const name = fieldOf(visit, "name");
	// of a new user, or of one whose role rises
	const password = form.get("password");
	// another link was opened meanwhile, so the form is not the one that the visitor read
	if (fieldOf(visit, "email") !== invitation.email) return showInvitation(visit, invitation, { status: 409 });
	if (isNew && name === "")
		return showInvitation(visit, invitation, { failure: { key: "missing", field: "name" }, status: 400 });
	const answer = await visit.ask({
		method: "POST",
		path: "/tenant/invitation/accept",
		body: { token: invitation.token, ...(isNew ? { name } : {}), ...(password === null ? {} : { password }) },
	});
	if (answer.ok) {
		cookies.remove("invitation");
		return answer.json.twoFactorRedirect === true ? afterSignIn(visit, answer) : welcome(visit);
	}
	if (answer.code === "INVITATION_NOT_FOUND") return refuseInvitation(visit);
	return showInvitation(visit, invitation, { failure: failureOf(answer), status: answer.status });
};

const welcome = ({ flow, cookies }: Visit): PageAnswer => {
	cookies.remove("invitation");
	cookies.remove("email");
	const isHere = flow.returnTo === null && flow.oauthQuery === null;
	return { to: isHere ? flow.link("/signed-in", { notice: "joined" }) : flow.end() };
};
