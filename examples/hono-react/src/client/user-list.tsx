import { use } from "react";
import type { User } from "./api.ts";

export const UserList = ({ users }: { users: User[] | Promise<User[]> }) => {
	const list = Array.isArray(users) ? users : use(users);
	if (list.length === 0) return <p className="quiet">No users yet.</p>;
	return (
		<ul>
			{list.map(({ id, name, email }) => (
				<li key={id}>
					<strong>{email}</strong>
					<span>
						{name}, <code>{id}</code>
					</span>
				</li>
			))}
		</ul>
	);
};
