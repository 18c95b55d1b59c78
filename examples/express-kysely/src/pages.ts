import type { Tenant } from "./auth.ts";
import type { ListedUser } from "./database.ts";
import { Html, html } from "./html.ts";

const NOTHING = new Html("");

const document = (title: string, body: Html): string =>
	html`<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<link rel="icon" href="data:,">
		<link rel="stylesheet" href="/styles.css">
		<title>${title}</title>
	</head>
	<body>${body}</body>
</html>`.text;

const tenantPage = (tenant: Tenant, host: string, body: Html): string =>
	document(
		tenant.name,
		html`<main style="--hue: ${Number(tenant.branding.hue)}">
	<header><span class="tenant">${tenant.name}</span> <code>${host}</code></header>
	${body}
</main>`,
	);

const userList = (users: ListedUser[]): Html =>
	users.length === 0
		? html`<p class="quiet">No users yet.</p>`
		: html`<ul>${users.map(
				({ id, name, email }) => html`<li><strong>${email}</strong> <span>${name}, <code>${id}</code></span></li>`,
			)}</ul>`;

type Given = { name?: string; email?: string; error?: string };

/** The sign-in page and the sign-up page. Their form works without scripts. */
export const credentialsPage = (
	tenant: Tenant,
	host: string,
	action: "Sign in" | "Sign up",
	{ name = "", email = "", error = "" }: Given = {},
): string => {
	const isSignUp = action === "Sign up";
	const current = html`aria-current="page"`;
	const nameField = html`<label>Name <input name="name" autocomplete="name" required value="${name}"></label>`;
	return tenantPage(
		tenant,
		host,
		html`<h1>${action} to ${tenant.name}</h1>
<nav aria-label="Account">
	<a href="/sign-in" ${isSignUp ? NOTHING : current}>Sign in</a>
	<a href="/sign-up" ${isSignUp ? current : NOTHING}>Sign up</a>
</nav>
<form class="card" method="post">
	${isSignUp ? nameField : NOTHING}
	<label>Email <input name="email" type="email" autocomplete="email" required value="${email}"></label>
	<label>
		Password
		<input name="password" type="password" autocomplete="${isSignUp ? "new-password" : "current-password"}" minlength="8" required>
	</label>
	${error ? html`<p class="wrong" role="alert">${error}</p>` : NOTHING}
	<button type="submit">${action}</button>
</form>
<p class="quiet">Your account at ${tenant.name} is separate from any account at another tenant, also with the same email.</p>`,
	);
};

type User = { name: string; email: string };

export const homePage = (tenant: Tenant, host: string, user: User, users: ListedUser[]): string =>
	tenantPage(
		tenant,
		host,
		html`<h1>Welcome, ${user.name}</h1>
<section class="card" aria-labelledby="account">
	<h2 id="account">Your account</h2>
	<p>You are signed in to ${tenant.name} as <strong>${user.email}</strong>.</p>
	<form method="post" action="/sign-out"><button type="submit" class="secondary">Sign out</button></form>
</section>
<section class="card" aria-labelledby="users">
	<h2 id="users">Users of ${tenant.name}</h2>
	${userList(users)}
	<p class="quiet">Only users of ${tenant.name}. The same email at another tenant is another user.</p>
</section>`,
	);

type Shown = { name: string; hue: number; url: string; users: ListedUser[] };

/** The platform's page: every tenant, and in the demo its users. */
export const overviewPage = (tenants: Shown[]): string =>
	document(
		"Tenants",
		html`<main class="wide">
	<h1>Tenants</h1>
	<p class="quiet">
		Open a tenant and sign up. Then sign up at the other one with the same email and another password: you get two users.
	</p>
	<div class="columns">
		${tenants.map(
			({ name, hue, url, users }) => html`<section class="card" style="--hue: ${hue}" aria-label="${name}">
			<h2><span class="tenant">${name}</span></h2>
			<a href="${url}">${new URL(url).host}</a>
			${userList(users)}
		</section>`,
		)}
	</div>
</main>`,
	);

/** The page of a host or path of nobody. */
export const notFoundPage = (): string =>
	document(
		"Not found",
		html`<main>
	<h1>Not found</h1>
	<p class="quiet">There is no such page, or no such tenant. Check the address.</p>
</main>`,
	);
