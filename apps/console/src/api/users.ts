import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { nextCursor } from "better-auth-tenants/client";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

const PAGE = 50;

export type UserSearch = { search?: string; by?: "email" | "name" };

const listUsers = async (tenantId: string, { search, by = "email" }: UserSearch, cursor: string | null) => {
	let next: string | null = null;
	const users = await unwrap(
		authClient.tenant.user.list({
			query: {
				tenantId,
				limit: PAGE,
				...(search ? { [by]: search } : {}),
				...(cursor ? { cursor } : {}),
			},
			fetchOptions: {
				onResponse: ({ response }) => {
					next = nextCursor(response.headers);
				},
			},
		}),
	);
	return { users, next: next as string | null };
};

/** A user in a list. */
export type ListedUser = Awaited<ReturnType<typeof listUsers>>["users"][number];

/** The users of a tenant, page by page. */
export const usersQuery = (tenantId: string, search: UserSearch) =>
	infiniteQueryOptions({
		queryKey: ["tenant", tenantId, "users", search],
		queryFn: ({ pageParam }) => listUsers(tenantId, search, pageParam),
		initialPageParam: null as string | null,
		getNextPageParam: ({ next }) => next,
	});

/** One user with accounts, sessions and second factors. */
export const userQuery = (tenantId: string, userId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "user", userId],
		queryFn: () => unwrap(authClient.tenant.user.get({ query: { tenantId, userId } })),
	});

/** The open invitations of a tenant. */
export const invitationsQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "invitations"],
		queryFn: () => unwrap(authClient.tenant.invitation.list({ query: { tenantId } })),
	});
