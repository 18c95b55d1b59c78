import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { SelectField } from "../../ui/field.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";

const FROM = "/signed-in/tenant/$tenantId/users";

/** Searches by the beginning of the email or the name. The URL keeps the search. */
export const UserSearchBar = () => {
	const { search = "", by = "email" } = useSearch({ from: FROM });
	const navigate = useNavigate({ from: "/tenant/$tenantId/users" });
	const [text, setText] = useState(search);
	const settled = useDebounced(text.trim());
	useEffect(() => {
		if (settled !== search)
			void navigate({
				search: (now) => ({ ...(settled ? { search: settled } : {}), ...(now.by ? { by: now.by } : {}) }),
				replace: true,
			});
		// the URL follows the field, not the other way round
	}, [settled]);
	return (
		<search className="grid grid-cols-[minmax(0,1fr)_7.5rem] gap-2 p-4 sm:max-w-lg">
			<SearchField label="Search users" placeholder="Begins with…" value={text} onSearch={setText} />
			<SelectField
				label="Search by"
				isLabelHidden
				value={by}
				onChange={(event) =>
					void navigate({
						search: (now) => ({ ...now, by: event.target.value === "name" ? ("name" as const) : ("email" as const) }),
						replace: true,
					})
				}
			>
				<option value="email">Email</option>
				<option value="name">Name</option>
			</SelectField>
		</search>
	);
};
