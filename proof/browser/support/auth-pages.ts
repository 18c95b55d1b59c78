import { type Html, html, page } from "./html.ts";
import type { ProviderId } from "./identity-server.ts";

export type Place = { id: string; name: string; slug: string };
type Linked = { id: string; providerId: string };

export const PROVIDER_NAMES: Record<ProviderId, string> = {
	gitlab: "GitLab",
	microsoft: "Microsoft",
	google: "Google",
	apple: "Apple",
};

const nameOf = (providerId: string): string =>
	providerId in PROVIDER_NAMES ? PROVIDER_NAMES[providerId as ProviderId] : "E-mail and password";

const ACCENTS = ["#86198f", "#0b6b50", "#1d4ed8", "#9a3412"];

/** A color per tenant, to recognize it. */
const accentOf = (place: Place | null): string =>
	place ? (ACCENTS[(place.slug.codePointAt(0) ?? 0) % ACCENTS.length] ?? "#334155") : "#334155";

const PLATFORM_NAME = "Platform";

const hidden = (fields: Record<string, string>): Html[] =>
	Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`);

/** A form that is sent as JSON, because the engine's endpoints accept nothing else. See SCRIPT. */
const jsonForm = (action: string, fields: Record<string, string>, button: Html): Html =>
	html`<form method="post" action="/api/auth${action}" data-json>${hidden(fields)}${button}</form>`;

const SCRIPT: Html = {
	html: `<script>
	for (const form of document.querySelectorAll("form[data-json]")) {
		form.addEventListener("submit", async (event) => {
			event.preventDefault();
			const to = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
			const answer = await fetch(to, {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify(Object.fromEntries(new FormData(form))),
			});
			const { url, code } = await answer.json();
			location.assign(answer.ok ? url || "/home" : "/failed?error=" + encodeURIComponent(code ?? answer.status));
		});
	}
	</script>`,
};

const COMING_BACK = { callbackURL: "/home", errorCallbackURL: "/failed" };

/** The sign-in page of a tenant, or of the platform. */
export const signInPage = (place: Place | null, providers: string[]): string => {
	const socialButton = (provider: string) => html`<button>Continue with ${nameOf(provider)}</button>`;
	const social = (provider: string): Html =>
		place
			? html`<form method="post" action="/api/auth/tenant/sign-in/social">
					${hidden({ tenantId: place.id, provider, ...COMING_BACK })}${socialButton(provider)}</form>`
			: jsonForm("/sign-in/social", { provider, ...COMING_BACK }, socialButton(provider));
	const prefix = place ? "/tenant" : "";
	return page({
		title: "Sign in",
		from: place?.name ?? PLATFORM_NAME,
		accent: accentOf(place),
		body: html`
			<form method="post" action="/api/auth${prefix}/sign-in/email" data-json>
				${place && hidden({ tenantId: place.id })}
				<label>E-mail <input name="email" type="email" required autocomplete="off"></label>
				<label>Password <input name="password" type="password" required autocomplete="off"></label>
				<label>Name, if you are new here <input name="name" autocomplete="off"></label>
				<div class="row">
					<button formaction="/api/auth${prefix}/sign-up/email">Create account</button>
					<button class="main">Sign in</button>
				</div>
			</form>
			${providers.length > 0 ? html`<p class="or">or</p>` : null}
			<div class="stack">${providers.map(social)}</div>
			${SCRIPT}`,
	});
};

type Home = {
	user: { name: string; email: string };
	place: Place | null;
	accounts: Linked[];
	/** providers without a linked account */
	linkable: string[];
};

/** Shows who is signed in, and where. */
export const homePage = ({ user, place, accounts, linkable }: Home): string =>
	page({
		title: `Hello ${user.name}`,
		from: place?.name ?? PLATFORM_NAME,
		accent: accentOf(place),
		body: html`
			<dl>
				<dt>E-mail</dt><dd id="email">${user.email}</dd>
				<dt>Tenant</dt><dd id="tenant">${place?.name ?? "none: the platform"}</dd>
			</dl>
			<h2>Linked accounts</h2>
			<ul id="accounts">${accounts.map(
				({ id, providerId }) =>
					html`<li>${nameOf(providerId)}${jsonForm("/unlink-account", { accountId: id }, html`<button>Unlink</button>`)}</li>`,
			)}</ul>
			<div class="stack">
				${linkable.map((provider) =>
					jsonForm("/link-social", { provider, ...COMING_BACK }, html`<button>Link ${nameOf(provider)}</button>`),
				)}
				${jsonForm("/sign-out", {}, html`<button class="main">Sign out</button>`)}
			</div>
			${SCRIPT}`,
	});

export const strangerPage = (): string =>
	page({
		title: "You are not signed in",
		from: PLATFORM_NAME,
		accent: accentOf(null),
		body: html`<p>Open the sign-in page of your tenant, or <a href="/sign-in">sign in to the platform</a>.</p>`,
	});

/** Shows an error by its code. */
export const errorPage = (error: string, description: string | null): string =>
	page({
		title: "That did not work",
		from: "Sign-in",
		accent: "#b42318",
		body: html`<p>${description}</p><p>Code: <code id="error">${error}</code></p><a href="/home">Back</a>`,
	});
