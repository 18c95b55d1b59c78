import { html } from "hono/html";
import type { Child } from "hono/jsx";
import type { Tenant, User } from "./auth.ts";

const Document = ({ title, children }: { title: string; children: Child }) =>
	html`<!doctype html>${(
		<html lang="en">
			<head>
				<meta charset="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<link rel="icon" href="data:," />
				<link rel="stylesheet" href="/styles.css" />
				<title>{title}</title>
			</head>
			<body>{children}</body>
		</html>
	)}`;

const styleOf = (hue: unknown): string => `--hue: ${Number(hue ?? 0)}`;

const TenantPage = ({ tenant, host, children }: { tenant: Tenant; host: string; children: Child }) => (
	<Document title={tenant.name}>
		<main style={styleOf(tenant.branding.hue)}>
			<header>
				<span class="tenant">{tenant.name}</span>
				<code>{host}</code>
			</header>
			{children}
		</main>
	</Document>
);

const UserList = ({ users }: { users: User[] }) =>
	users.length === 0 ? (
		<p class="quiet">No users yet.</p>
	) : (
		<ul>
			{users.map(({ id, name, email }) => (
				<li key={id}>
					<strong>{email}</strong>
					<span>
						{name}, <code>{id}</code>
					</span>
				</li>
			))}
		</ul>
	);

type CredentialsProps = {
	tenant: Tenant;
	host: string;
	action: "Sign in" | "Sign up";
	given?: { name?: string; email?: string; error?: string };
};

/** The form of the sign-in page and of the sign-up page. Works without scripts. */
export const Credentials = ({ tenant, host, action, given = {} }: CredentialsProps) => {
	const isSignUp = action === "Sign up";
	return (
		<TenantPage tenant={tenant} host={host}>
			<h1>
				{action} to {tenant.name}
			</h1>
			<nav aria-label="Account">
				<a href="/sign-in" aria-current={isSignUp ? undefined : "page"}>
					Sign in
				</a>
				<a href="/sign-up" aria-current={isSignUp ? "page" : undefined}>
					Sign up
				</a>
			</nav>
			<form class="card" method="post">
				{isSignUp && (
					<label>
						Name
						<input name="name" autocomplete="name" required value={given.name} />
					</label>
				)}
				<label>
					Email
					<input name="email" type="email" autocomplete="email" required value={given.email} />
				</label>
				<label>
					Password
					<input
						name="password"
						type="password"
						autocomplete={isSignUp ? "new-password" : "current-password"}
						minlength={8}
						required
					/>
				</label>
				{given.error && (
					<p class="wrong" role="alert">
						{given.error}
					</p>
				)}
				<button type="submit">{action}</button>
			</form>
			<p class="quiet">
				Your account at {tenant.name} is separate from any account at another tenant, also with the same email.
			</p>
		</TenantPage>
	);
};

type HomeProps = { tenant: Tenant; host: string; user: { name: string; email: string }; users: User[] };

export const Home = ({ tenant, host, user, users }: HomeProps) => (
	<TenantPage tenant={tenant} host={host}>
		<h1>Welcome, {user.name}</h1>
		<section class="card" aria-labelledby="account">
			<h2 id="account">Your account</h2>
			<p>
				You are signed in to {tenant.name} as <strong>{user.email}</strong>.
			</p>
			<form method="post" action="/sign-out">
				<button type="submit" class="secondary">
					Sign out
				</button>
			</form>
		</section>
		<section class="card" aria-labelledby="users">
			<h2 id="users">Users of {tenant.name}</h2>
			<UserList users={users} />
			<p class="quiet">Only users of {tenant.name}. The same email at another tenant is another user.</p>
		</section>
	</TenantPage>
);

/** The platform's page: every tenant, and in the demo its users. */
export const Overview = ({ tenants }: { tenants: { name: string; hue: unknown; url: string; users: User[] }[] }) => (
	<Document title="Tenants">
		<main class="wide">
			<h1>Tenants</h1>
			<p class="quiet">
				Open a tenant and sign up. Then sign up at the other one with the same email and another password: you get two
				users.
			</p>
			<div class="columns">
				{tenants.map(({ name, hue, url, users }) => (
					<section class="card" style={styleOf(hue)} aria-label={name}>
						<h2>
							<span class="tenant">{name}</span>
						</h2>
						<a href={url}>{new URL(url).host}</a>
						<UserList users={users} />
					</section>
				))}
			</div>
		</main>
	</Document>
);

/** The page of a host or path of nobody. */
export const NotFound = () => (
	<Document title="Not found">
		<main>
			<h1>Not found</h1>
			<p class="quiet">There is no such page, or no such tenant. Check the address.</p>
		</main>
	</Document>
);
