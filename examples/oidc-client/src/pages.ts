import { html } from "hono/html";
import type { Organization } from "./organizations.ts";
import type { User } from "./sign-in.ts";

type Shown = { organization: Organization; user: User };

/** The only page: a field for the organization, and who is signed in where. Its forms work without scripts. */
export const homePage = (users: Shown[], { error = "", slug = "" } = {}) => html`<!doctype html>
<html lang="en">
	<head>
		<meta charset="utf-8">
		<meta name="viewport" content="width=device-width, initial-scale=1">
		<link rel="icon" href="data:,">
		<link rel="stylesheet" href="/styles.css">
		<title>Notes</title>
	</head>
	<body>
		<main>
			<h1>Notes</h1>
			<form class="card" method="post" action="/sign-in">
				<label>
					Organization
					<input name="organization" required autocapitalize="none" autocomplete="organization" value="${slug}">
				</label>
				${error ? html`<p class="wrong" role="alert">${error}</p>` : ""}
				<button type="submit">Sign in</button>
				<p class="quiet">This demo has acme and globex. You sign in on the pages of your organization.</p>
			</form>
			${users.map(userCard)}
			${users.length > 1 ? html`<p class="quiet">The same email at two organizations is two users.</p>` : ""}
		</main>
	</body>
</html>`;

const userCard = ({ organization, user }: Shown) => html`<section class="card" aria-label="${organization.name}">
	<h2><span class="tenant">${organization.name}</span></h2>
	<p>You are signed in to ${organization.name} as <strong>${user.email}</strong>.</p>
	<p>${user.name}, <code>${user.subject}</code><br><code>${user.issuer}</code></p>
	<form method="post" action="/sign-out">
		<input type="hidden" name="organization" value="${organization.slug}">
		<button type="submit" class="secondary">Sign out of ${organization.name}</button>
	</form>
</section>`;
