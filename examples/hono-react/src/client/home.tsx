import { Suspense } from "react";
import type { User } from "./api.ts";
import { authClient, type Tenant } from "./auth-client.ts";
import { UserList } from "./user-list.tsx";

type Props = { tenant: Tenant; user: User; loadingUsers: Promise<User[]> };

export const Home = ({ tenant, user, loadingUsers }: Props) => (
	<>
		<h1>Welcome, {user.name}</h1>
		<section className="card" aria-labelledby="account">
			<h2 id="account">Your account</h2>
			<p>
				You are signed in to {tenant.name} as <strong>{user.email}</strong>.
			</p>
			<button type="button" className="secondary" onClick={() => authClient.signOut()}>
				Sign out
			</button>
		</section>
		<section className="card" aria-labelledby="users">
			<h2 id="users">Users of {tenant.name}</h2>
			<Suspense fallback={<p className="quiet">Loading…</p>}>
				<UserList users={loadingUsers} />
			</Suspense>
			<p className="quiet">Only users of {tenant.name}. The same email at another tenant is another user.</p>
		</section>
	</>
);
