import { text } from "node:stream/consumers";
import type { Context, Interact, Person } from "test-kit/oidc-look-alike";
import { html, page } from "./html.ts";

/** The pages where a user signs in at an identity provider and allows or denies a client's request. */
export const createIdentityPages = (from: string): Interact => {
	// who is signed in here, by subject: the provider's session only stores the subject
	const known = new Map<string, Person>();

	return async (ctx, provider, consented) => {
		const { params, prompt, session } = await provider.interactionDetails(ctx.req, ctx.res);
		const client = await provider.Client.find(String(params.client_id));
		const clientName = client?.clientName ?? String(params.client_id);
		if (ctx.method === "GET") {
			const who = known.get(session?.accountId ?? "");
			ctx.type = "html";
			ctx.body =
				prompt.name === "login" || !who
					? signInPage(from, clientName)
					: consentPage(from, clientName, who, params.scope);
			return;
		}

		const sent = new URLSearchParams(await text(ctx.req));
		const finish = async (result: Parameters<typeof provider.interactionResult>[2]) =>
			goTo(ctx, await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: true }));

		if (sent.get("answer") === "deny") {
			return finish({ error: "access_denied", error_description: "The user denied access" });
		}
		if (sent.get("answer") === "allow") {
			const person = known.get(session?.accountId ?? "");
			if (!person) throw new Error("No user is signed in to consent");
			const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
			grant.addOIDCScope(String(params.scope));
			const grantId = await grant.save();
			consented(grantId, person);
			return finish({ consent: { grantId } });
		}
		const person = { sub: sent.get("sub") ?? "", email: sent.get("email") ?? "", name: sent.get("name") ?? "" };
		known.set(person.sub, person);
		return finish({ login: { accountId: person.sub } });
	};
};

const goTo = (ctx: Context, location: string): void => {
	ctx.status = 303;
	ctx.set("location", location);
};

const accent = "#5b3cc4";

const signInPage = (from: string, clientName: string): string =>
	page({
		title: "Sign in",
		from,
		accent,
		body: html`
			<p>to continue to <b>${clientName}</b></p>
			<form method="post">
				<label>Account <input name="sub" required autocomplete="off"></label>
				<label>E-mail <input name="email" type="email" required autocomplete="off"></label>
				<label>Name <input name="name" required autocomplete="off"></label>
				<button class="main">Sign in</button>
			</form>`,
	});

const consentPage = (from: string, clientName: string, person: Person, scope: unknown): string =>
	page({
		title: `Allow ${clientName}?`,
		from,
		accent,
		body: html`
			<p>You are signed in as <b>${person.email}</b>. ${clientName} asks for:</p>
			<ul>${String(scope)
				.split(" ")
				.map((name) => html`<li><code>${name}</code></li>`)}</ul>
			<form method="post" class="row">
				<button name="answer" value="deny">Deny</button>
				<button class="main" name="answer" value="allow">Allow</button>
			</form>`,
	});
