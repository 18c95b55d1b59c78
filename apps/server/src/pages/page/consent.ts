import { cleanName } from "../../mail/names.ts";
import { failureOf } from "../failures.ts";
import { failureNotice } from "../view/failure.ts";
import { h } from "../view/h.ts";
import { form, hidden, linkButton, secondary, submit } from "../view/parts.ts";
import { type EngineAnswer, fieldOf, type Page, type PageAnswer, signedInEmail, type Visit } from "../visit.ts";

/** Asks whether an OAuth client of the tenant may use the visitor's account. */
export const consentPage: Page = {
	get: async (visit) => show(visit),
	post: async (visit) => {
		const { flow, form: sent } = visit;
		// somebody else signed in meanwhile, so the form is about another account
		if (fieldOf(visit, "email") !== (await signedInEmail(visit))) return show(visit, 409);
		const answer = await visit.ask({
			method: "POST",
			path: "/oauth2/consent",
			body: { accept: sent.get("accept") === "yes", oauth_query: flow.oauthQuery ?? "" },
		});
		return answer.ok && answer.url !== null ? { to: answer.url } : refuse(visit, answer);
	},
};

const show = async (visit: Visit, status = 200): Promise<PageAnswer> => {
	const { flow, texts } = visit;
	if (flow.oauthQuery === null) return { to: flow.link("/sign-in") };
	const query = new URLSearchParams(flow.oauthQuery);
	const email = await signedInEmail(visit);
	if (email === null) return { to: flow.link("/sign-in") };
	const client = await findClient(visit, query.get("client_id") ?? "");
	if (!client.ok) return refuse(visit, client);
	const named = client.json.client_name;
	const name = (typeof named === "string" && cleanName(named)) || texts.consent.unnamed;
	const host = URL.parse(query.get("redirect_uri") ?? "")?.host;
	return {
		status,
		view: {
			title: texts.consent.title(name),
			body: [
				h("p", null, texts.consent.intro(name, email)),
				h(
					"ul",
					{ class: "scopes" },
					scopesIn(query).map((scope) => h("li", null, scopeText(visit, scope))),
				),
				host ? h("p", { class: "hint" }, texts.consent.leads(host)) : null,
				form(
					flow.link("/consent"),
					hidden("email", email),
					h(
						"div",
						{ class: "pair" },
						secondary(texts.consent.deny, { name: "accept", value: "no" }),
						submit(texts.consent.allow, { name: "accept", value: "yes" }),
					),
				),
			],
		},
	};
};

/** Better Auth checks the signature of the query here. Without it, anybody could write into the page what a client asks for. */
const findClient = ({ ask, flow }: Visit, clientId: string): Promise<EngineAnswer> =>
	ask({
		method: "POST",
		path: "/oauth2/public-client-prelogin",
		body: { client_id: clientId, oauth_query: flow.oauthQuery ?? "" },
		// the query is enough. A page that is opened by a link has no origin, and Better Auth requires one with cookies
		isAnonymous: true,
	});

const refuse = ({ texts, flow }: Visit, answer: EngineAnswer): PageAnswer => ({
	status: answer.ok ? 502 : answer.status,
	view: {
		title: texts.errors.failedTitle,
		isError: true,
		body: [failureNotice(texts, failureOf(answer)), linkButton(flow.link("/sign-in"), texts.checkEmail.back, true)],
	},
});

const scopesIn = (query: URLSearchParams): string[] =>
	(query.get("scope") ?? "").split(" ").filter((scope) => scope !== "");

const scopeText = ({ texts: { consent } }: Visit, scope: string): string =>
	Object.hasOwn(consent.scopes, scope)
		? consent.scopes[scope as keyof typeof consent.scopes]
		: consent.scope(scope.slice(0, 100));
