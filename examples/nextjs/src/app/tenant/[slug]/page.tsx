import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { auth } from "../../../auth.ts";
import { SignOut } from "../../../components/sign-out.tsx";
import { UserList } from "../../../components/user-list.tsx";
import { tenantOfPage } from "../../../tenant.ts";
import { listUsers } from "../../../users.ts";

export default async function Home() {
	// first: a host of nobody has no session to read
	const { name } = await tenantOfPage();
	// null for a session of another tenant than the host's
	const session = await auth.api.getSession({ headers: await headers() });
	if (!session) redirect("/sign-in");
	return (
		<>
			<h1>Welcome, {session.user.name}</h1>
			<section className="card" aria-labelledby="account">
				<h2 id="account">Your account</h2>
				<p>
					You are signed in to {name} as <strong>{session.user.email}</strong>.
				</p>
				<SignOut />
			</section>
			<section className="card" aria-labelledby="users">
				<h2 id="users">Users of {name}</h2>
				<UserList users={await listUsers(session.session.tenantId)} />
				<p className="quiet">Only users of {name}. The same email at another tenant is another user.</p>
			</section>
		</>
	);
}
