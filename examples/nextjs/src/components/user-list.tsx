import type { ListedUser } from "../users.ts";

export const UserList = ({ users }: { users: ListedUser[] }) => {
	if (users.length === 0) return <p className="quiet">No users yet.</p>;
	return (
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
};
