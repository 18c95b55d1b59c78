import { useNavigate, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { SelectField, TextField } from "../../ui/field.tsx";
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
			<div className="relative">
				<Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-soft" aria-hidden />
				<TextField
					label="Search users"
					isLabelHidden
					type="search"
					placeholder="Begins with…"
					value={text}
					onChange={(event) => setText(event.target.value)}
					maxLength={255}
					className="pl-9"
				/>
			</div>
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
