import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { TenantSearch } from "../../api/tenants.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { SelectField } from "../../ui/field.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { useDebounced } from "../../ui/use-debounced.ts";

const STATUSES = ["active", "suspended", "archived"] as const;

/** Searches by the beginning of the slug or the name, and by status. The URL keeps both. */
export const TenantSearchBar = () => {
	const { search = "", by = "slug", status } = useSearch({ from: "/signed-in/operator/tenants" });
	const { features } = useViewer();
	const navigate = useNavigate({ from: "/tenants" });
	const [text, setText] = useState(search);
	const [shown, setShown] = useState(search);
	const settled = useDebounced(text.trim());
	// the way back, and a link, change the URL from outside
	if (shown !== search) {
		setShown(search);
		if (search !== text.trim()) setText(search);
	}
	/** Every change begins at the first page. */
	const change = (next: TenantSearch): void => {
		void navigate({ search: ({ cursor: _, ...now }) => withoutEmpty({ ...now, ...next }), replace: true });
	};
	useEffect(() => {
		if (settled === text.trim() && settled !== search) change({ search: settled });
	}, [settled]);
	return (
		<search className="grid gap-2 p-4 sm:flex">
			<div className="min-w-0 sm:max-w-sm sm:flex-1">
				<SearchField
					label="Search tenants"
					placeholder={by === "slug" ? "Slug begins with…" : "Name begins with…"}
					value={text}
					onSearch={setText}
					maxLength={200}
				/>
			</div>
			<div className="grid grid-cols-2 gap-2 sm:flex">
				<SelectField
					label="Search by"
					isLabelHidden
					value={by}
					onChange={({ target }) => change({ by: target.value === "name" ? "name" : "slug" })}
				>
					<option value="slug">Slug</option>
					<option value="name">Name</option>
				</SelectField>
				{features.lifecycle && (
					<SelectField
						label="Status"
						isLabelHidden
						value={status ?? ""}
						onChange={({ target }) => {
							const chosen = STATUSES.find((one) => one === target.value);
							void navigate({
								search: ({ cursor: _, status: _before, ...now }) => (chosen ? { ...now, status: chosen } : now),
							});
						}}
					>
						<option value="">Any status</option>
						<option value="active">Active</option>
						<option value="suspended">Suspended</option>
						<option value="archived">Archived</option>
					</SelectField>
				)}
			</div>
		</search>
	);
};

const withoutEmpty = ({ search, ...rest }: TenantSearch): TenantSearch => (search ? { search, ...rest } : rest);
