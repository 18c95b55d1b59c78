import { Link } from "@tanstack/react-router";
import type { ConsoleEvent } from "../api/events.ts";
import { useViewer } from "../app/use-viewer.ts";
import { Badge } from "../ui/badge.tsx";
import { Cell } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { actionTitle } from "./action-title.ts";

const short = (id: string): string => (id.length > 12 ? `${id.slice(0, 8)}…` : id);

const Id = ({ value }: { value: string }) => (
	<span className="font-mono text-xs" title={value}>
		{short(value)}
	</span>
);

const Actor = ({ actor }: { actor: ConsoleEvent["actor"] }) => {
	const viewer = useViewer();
	switch (actor.kind) {
		case "session":
			if (actor.userId === viewer.user.id) return "You";
			return (
				<>
					{actor.tenantId === "platform" ? "Operator" : "User"} <Id value={actor.userId} />
				</>
			);
		case "key":
			return (
				<>
					Management key <Id value={actor.name} />
				</>
			);
		case "operator":
			return "An operator";
		case "server":
			return "Server code";
		default:
			return actor.kind === "application" ? "The application" : "Unknown";
	}
};

/** Leads to the user, who may be gone. */
const UserId = ({ event: { tenantId }, userId }: { event: ConsoleEvent; userId: string }) =>
	tenantId ? (
		<Link
			to="/tenant/$tenantId/users/$userId"
			params={{ tenantId, userId }}
			className="inline-flex min-h-6 items-center hover:underline"
		>
			<Id value={userId} />
		</Link>
	) : (
		<Id value={userId} />
	);

type Row = { event: ConsoleEvent; slug?: string | undefined; showsTenant: boolean };

/** The tenant of an event, for the list of all tenants. */
const TenantOf = ({ event, slug }: { event: ConsoleEvent; slug: string | undefined }) =>
	event.tenantId ? (
		<Link
			to="/tenant/$tenantId"
			params={{ tenantId: event.tenantId }}
			className="inline-flex min-h-6 items-center hover:underline"
		>
			{slug ?? <Id value={event.tenantId} />}
		</Link>
	) : (
		<span className="text-soft">{slug ?? "All tenants"}</span>
	);

/** One event. `showsTenant` is for the list of all tenants. */
export const EventRow = ({ event, slug = event.slug, showsTenant }: Row) => (
	<tr>
		<Cell>
			<div className="grid gap-0.5 sm:min-w-44">
				<span className="flex flex-wrap items-center gap-2">
					<span className="font-medium" title={event.action}>
						{actionTitle(event.action)}
					</span>
					{event.outcome === "refused" && <Badge tone="warn">Refused</Badge>}
				</span>
				{(event.reason ?? event.code) && (
					<span className="text-sm wrap-anywhere text-soft">{event.reason ?? event.code}</span>
				)}
				{event.userId && (
					<span className="text-sm text-soft">
						User <UserId event={event} userId={event.userId} />
					</span>
				)}
				<span className="flex flex-wrap items-center gap-x-1.5 text-sm text-soft sm:hidden">
					{showsTenant && (
						<>
							<TenantOf event={event} slug={slug} /> ·
						</>
					)}
					<span>
						<Actor actor={event.actor} />
					</span>{" "}
					· <Time at={event.at} />
				</span>
			</div>
		</Cell>
		{showsTenant && (
			<Cell className="text-sm">
				<TenantOf event={event} slug={slug} />
			</Cell>
		)}
		<Cell className="text-sm whitespace-nowrap">
			<Actor actor={event.actor} />
			{event.ip && <span className="block text-soft">{event.ip}</span>}
		</Cell>
		<Cell className="text-sm text-soft">
			<Time at={event.at} />
		</Cell>
	</tr>
);
