import { parseResponse } from "hono/client";
import { use } from "react";
import { api } from "./api.ts";
import { UserList } from "./user-list.tsx";

const loadingTenants = parseResponse(api.overview.$get());

/** The platform's page: every tenant with its users. */
export const Overview = () => (
	<main className="wide">
		<title>Tenants</title>
		<h1>Tenants</h1>
		<p className="quiet">
			Open a tenant and sign up. Then sign up at the other one with the same email and another password: you get two
			users.
		</p>
		<div className="columns">
			{use(loadingTenants).map(({ name, url, hue, users }) => (
				<section className="card" key={url} style={{ "--hue": hue }} aria-label={name}>
					<h2>
						<span className="tenant">{name}</span>
					</h2>
					<a href={url}>{new URL(url).host}</a>
					<UserList users={users} />
				</section>
			))}
		</div>
	</main>
);
