import { useQuery } from "@tanstack/react-query";
import { platformQuery } from "../../api/platform.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { DeletionsCard } from "../deletions-card.tsx";
import { JobsCard } from "./jobs-card.tsx";
import { Numbers } from "./numbers.tsx";
import { ProcessesCard } from "./processes-card.tsx";
import { SignInsCard } from "./sign-ins-card.tsx";

/** Milliseconds between two looks at the service. */
const EVERY = 30_000;

/** How the service is doing. Each number says what it counts, and since when. */
export const OverviewPage = () => {
	const { data, error, refetch } = useQuery({ ...platformQuery, refetchInterval: EVERY });
	return (
		<>
			<PageHeader title="Overview" intro="The service and its queue. All numbers are updated every 30 seconds." />
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!data && !error && <Loading />}
			{data && (
				<div className="grid gap-6">
					<Numbers platform={data} />
					<DeletionsCard deletions={data.deletions} />
					<SignInsCard process={data.process} />
					<div className="grid gap-6 xl:grid-cols-2">
						<JobsCard jobs={data.jobs} />
						<ProcessesCard processes={data.processes} version={data.version} />
					</div>
				</div>
			)}
		</>
	);
};

const Loading = () => (
	<div role="status" className="grid gap-6">
		<span className="sr-only">Loading</span>
		<div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
			{["tenants", "sign-ins", "refused", "latency"].map((card) => (
				<Skeleton key={card} className="h-28 rounded-lg" />
			))}
		</div>
		<Skeleton className="h-56 rounded-lg" />
	</div>
);
