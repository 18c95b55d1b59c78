import { connection } from "next/server";
import { auth } from "../auth.ts";
import { UserList } from "../components/user-list.tsx";
import { addressOf } from "../hosts.ts";
import { listUsers } from "../users.ts";

/** The platform's page: every tenant, and in the demo its users. */
export default async function Overview() {
	await connection();
	const tenants = (await auth.api.listTenants()).sort((one, other) => one.name.localeCompare(other.name));
	return (
		<main className="wide">
			<h1>Tenants</h1>
			<p className="quiet">
				Open a tenant and sign up. Then sign up at the other one with the same email and another password: you get two
				users.
			</p>
			<div className="columns">
				{tenants.map(async ({ id, name, slug, metadata }) => (
					<section className="card" key={id} style={{ "--hue": Number(metadata?.hue ?? 0) }} aria-label={name}>
						<h2>
							<span className="tenant">{name}</span>
						</h2>
						<a href={addressOf(slug)}>{new URL(addressOf(slug)).host}</a>
						{process.env.DEMO_OVERVIEW === "true" && <UserList users={await listUsers(id)} />}
					</section>
				))}
			</div>
		</main>
	);
}
