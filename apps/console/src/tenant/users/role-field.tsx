import type { ListedUser } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { rolesOf } from "../authority.ts";
import { ROLE_MEANINGS, ROLE_NAMES } from "./badges.tsx";

type Role = ListedUser["role"];

/** The roles that the viewer can give, each with what it means. */
export const RoleField = ({ initial = "member" }: { initial?: Role }) => (
	<fieldset className="grid gap-2">
		<legend className="pb-1.5 text-sm font-medium">Role</legend>
		{rolesOf(useViewer()).map((role) => (
			<label
				key={role}
				className="flex cursor-pointer items-start gap-3 rounded-md border border-hair px-3 py-2.5 has-checked:border-accent has-checked:bg-accent-soft/50"
			>
				<input
					type="radio"
					name="role"
					value={role}
					defaultChecked={role === initial}
					className="mt-1 size-4 shrink-0 accent-accent"
				/>
				<span className="grid">
					<span className="font-medium">{ROLE_NAMES[role]}</span>
					<span className="text-sm text-soft">{ROLE_MEANINGS[role]}</span>
				</span>
			</label>
		))}
	</fieldset>
);

export const readRole = (form: FormData): Role => {
	const role = form.get("role");
	return role === "owner" || role === "admin" ? role : "member";
};
