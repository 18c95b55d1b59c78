import { EventList } from "../../events/event-list.tsx";
import { PageHeader } from "../../ui/page-header.tsx";

/** What was changed in all tenants, and by whom. */
export const EventsPage = () => (
	<>
		<PageHeader
			title="Events"
			intro="Changes in all tenants by operators, admins and management keys. Events are kept for 90 days."
		/>
		<EventList tenantId={null} />
	</>
);
