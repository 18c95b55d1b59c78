import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { eventsQuery } from "../../api/events.ts";
import { oauthConfigsQuery } from "../../api/oauth-configs.ts";
import { signInsQuery } from "../../api/sign-ins.ts";
import { tenantQuery } from "../../api/tenants.ts";
import { invitationsQuery } from "../../api/users.ts";
import type { TenantPage } from "../../app/navigation.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { actionTitle } from "../../events/action-title.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { Skeleton, SkeletonRows } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { useTenantId } from "../use-tenant.ts";
import { SignInChart } from "./sign-in-chart.tsx";

const link = "font-medium text-accent-ink hover:underline";

/** What happens in the tenant, at a glance. */
export const OverviewPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const { data: tenant } = useQuery(tenantQuery(tenantId));
	const signIns = useQuery(signInsQuery(tenantId));
	const configs = useQuery(oauthConfigsQuery(tenantId));
	const invitations = useQuery({ ...invitationsQuery(tenantId), enabled: viewer.features.invitations === true });
	const sum = (kind: "succeeded" | "refused"): number | undefined =>
		signIns.data?.days.reduce((total, day) => total + day[kind], 0);
	return (
		<>
			<PageHeader
				title={tenant?.name ?? viewer.tenant?.name ?? "Overview"}
				intro="Sign-ins, providers and changes at a glance."
			/>
			<div className="grid gap-6">
				<dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
					<Count name="Sign-ins" note="Last 30 days" value={sum("succeeded")} />
					<Count name="Refused sign-ins" note="Last 30 days" value={sum("refused")} />
					<Count
						name="OAuth providers"
						note="Turned on"
						value={configs.data?.filter(({ enabled }) => enabled).length}
						to="/tenant/$tenantId/providers"
					/>
					{viewer.features.invitations && (
						<Count
							name="Open invitations"
							note="Not yet accepted"
							value={invitations.data?.length}
							to="/tenant/$tenantId/users"
						/>
					)}
				</dl>
				<Card title="Sign-ins per day" intro="Days in UTC. A sign-in appears here within seconds.">
					{signIns.error && <ErrorNotice error={signIns.error} retry={() => void signIns.refetch()} />}
					{signIns.isPending && <Skeleton className="h-44 w-full" />}
					{signIns.data && <SignInChart days={signIns.data.days} />}
				</Card>
				<RecentEvents />
			</div>
		</>
	);
};

type CountProps = { name: string; note: string; value: number | undefined; to?: TenantPage };

const count = new Intl.NumberFormat("en");

const Count = ({ name, note, value, to }: CountProps) => {
	const tenantId = useTenantId();
	return (
		<div className="group relative grid content-start gap-1 rounded-lg border border-hair bg-surface px-4 py-3.5 shadow-card transition-colors has-[a:hover]:border-edge sm:px-5 sm:py-4">
			<dt className="text-sm text-soft">
				{to ? (
					<Link to={to} params={{ tenantId }} className="after:absolute after:inset-0 after:rounded-lg">
						{name}
					</Link>
				) : (
					name
				)}
			</dt>
			<dd className="text-2xl font-semibold tabular-nums">
				{value === undefined ? <Skeleton className="h-8 w-12" /> : count.format(value)}
			</dd>
			<dd className="text-sm text-soft">{note}</dd>
			{to && (
				<ChevronRight
					className="absolute top-4 right-3 size-4 text-soft transition-transform group-hover:translate-x-0.5 sm:right-4 sm:top-4.5"
					aria-hidden
				/>
			)}
		</div>
	);
};

const RecentEvents = () => {
	const tenantId = useTenantId();
	const { data, error, refetch } = useInfiniteQuery(eventsQuery(tenantId));
	const events = data?.pages[0]?.events.slice(0, 5);
	return (
		<Card
			title="Recent events"
			isFlush
			actions={
				<Link
					to="/tenant/$tenantId/events"
					params={{ tenantId }}
					className={`inline-flex min-h-8 items-center text-sm ${link}`}
				>
					All events
				</Link>
			}
		>
			{error && (
				<div className="px-5 pb-5">
					<ErrorNotice error={error} retry={() => void refetch()} />
				</div>
			)}
			{!events && !error && <SkeletonRows rows={3} />}
			{events?.length === 0 && <p className="px-5 pb-5 text-sm text-soft">No changes yet.</p>}
			{events && events.length > 0 && (
				<ul className="border-t border-hair">
					{events.map((event) => (
						<li
							key={event.id}
							className="flex items-center justify-between gap-4 border-b border-hair px-5 py-3 last:border-b-0"
						>
							<span className="flex flex-wrap items-center gap-2">
								{actionTitle(event.action)}
								{event.outcome === "refused" && <Badge tone="warn">Refused</Badge>}
							</span>
							<span className="text-sm text-soft">
								<Time at={event.at} />
							</span>
						</li>
					))}
				</ul>
			)}
		</Card>
	);
};
