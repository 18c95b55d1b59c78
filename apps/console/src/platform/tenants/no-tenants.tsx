import { Link } from "@tanstack/react-router";
import { Plus, SearchX, Waypoints } from "lucide-react";
import type { TenantSearch } from "../../api/tenants.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Empty } from "../../ui/empty.tsx";

/** Why the list is empty, and what to do about it. */
export const NoTenants = ({ search, onCreate }: { search: TenantSearch; onCreate: () => void }) => {
	const { search: text, by = "slug", status, cursor } = search;
	if (text === undefined && status === undefined && cursor === undefined)
		return (
			<Empty
				icon={Waypoints}
				title="No tenant yet"
				action={
					<Button kind="primary" onClick={onCreate}>
						<Plus className="size-4" aria-hidden /> Create the first tenant
					</Button>
				}
			>
				A tenant is one of your customers, with its own users and its own sign-in page.
			</Empty>
		);
	return (
		<Empty
			icon={SearchX}
			title="No tenant found"
			action={
				<Link to="/tenants" className={buttonClass()}>
					Show all tenants
				</Link>
			}
		>
			{text === undefined
				? `No ${status ?? "further"} tenant is here.`
				: `No${status ? ` ${status}` : ""} tenant has a ${by} that begins with “${text}”.${by === "name" ? " Names distinguish upper and lower case." : ""}`}
		</Empty>
	);
};
