import { useInfiniteQuery } from "@tanstack/react-query";
import { History } from "lucide-react";
import { eventsQuery } from "../api/events.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Empty } from "../ui/empty.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Table } from "../ui/table.tsx";
import { EventRow } from "./event-row.tsx";
import { useKnownSlugs } from "./use-known-slugs.ts";

/** The table begins the card. On a phone, who and when stand below what. */
const NARROW = "rounded-t-lg [&_thead_tr]:border-t-0 max-sm:[&_:is(th,td):not(:first-child)]:hidden";

/** Management events, newest first: of one tenant, or of all of them with null. */
export const EventList = ({ tenantId }: { tenantId: string | null }) => {
	const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
		eventsQuery(tenantId),
	);
	const events = data?.pages.flatMap((page) => page.events) ?? [];
	const showsTenant = tenantId === null;
	const slugs = useKnownSlugs(events);
	return (
		<Card isFlush>
			{isPending && <SkeletonRows />}
			{error && (
				<div className="p-5">
					<ErrorNotice error={error} retry={() => void refetch()} />
				</div>
			)}
			{data && events.length === 0 && (
				<Empty icon={History} title="Nothing has happened yet">
					Changes by operators, admins and management keys appear here. Reads do not.
				</Empty>
			)}
			{events.length > 0 && (
				<Table caption="Events" className={NARROW} head={["What", ...(showsTenant ? ["Tenant"] : []), "Who", "When"]}>
					{events.map((event) => (
						<EventRow key={event.id} event={event} slug={slugs.get(event.tenantId ?? "")} showsTenant={showsTenant} />
					))}
				</Table>
			)}
			{hasNextPage && (
				<div className="border-t border-hair p-4 text-center">
					<Button isBusy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
						Show more
					</Button>
				</div>
			)}
		</Card>
	);
};
