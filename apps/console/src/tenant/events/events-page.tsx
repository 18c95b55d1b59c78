import { EventList } from "../../events/event-list.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { useTenantId } from "../use-tenant.ts";

/** What was changed in the tenant, and by whom. */
export const EventsPage = () => (
	<>
		<PageHeader title="Events" intro="Changes in this tenant by its owners, admins and operators." />
		<EventList tenantId={useTenantId()} />
	</>
);
