import { infiniteQueryOptions } from "@tanstack/react-query";
import { nextCursor } from "better-auth-tenants/client";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

type Actor =
	| { kind: "session"; userId: string; tenantId: string }
	| { kind: "key"; name: string }
	| { kind: "server" | "application" | "unknown" | "operator" };

/** A management event. Users of a tenant do not see which operator acted. */
export type ConsoleEvent = {
	id: string;
	at: string;
	action: string;
	tenantId: string | null;
	slug?: string;
	actor: Actor;
	outcome: "allowed" | "refused";
	code?: string;
	userId?: string;
	reason?: string;
	ip?: string;
};

const PAGE = 50;

/** The events of one tenant, or of all of them for operators, newest first. */
export const eventsQuery = (tenantId: string | null) =>
	infiniteQueryOptions({
		queryKey: [...(tenantId === null ? ["platform"] : ["tenant", tenantId]), "events"],
		queryFn: async ({ pageParam }) => {
			let next: string | null = null;
			const events = await unwrap(
				authClient.$fetch<ConsoleEvent[]>("/tenant/events", {
					query: {
						limit: PAGE,
						...(tenantId === null ? {} : { tenantId }),
						...(pageParam ? { cursor: pageParam } : {}),
					},
					onResponse: ({ response }) => {
						next = nextCursor(response.headers);
					},
				}),
			);
			return { events, next: next as string | null };
		},
		initialPageParam: null as string | null,
		getNextPageParam: ({ next }) => next,
	});
