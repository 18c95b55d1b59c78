import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { SearchX, UserPlus, Users } from "lucide-react";
import { useState } from "react";
import { usersQuery } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Table } from "../../ui/table.tsx";
import { useTenantId } from "../use-tenant.ts";
import { type OpenAction, UserActionDialogs } from "../user/action-dialogs.tsx";
import { CreateUserDialog } from "./create-user-dialog.tsx";
import { InviteDialog } from "./invite-dialog.tsx";
import { OpenInvitations } from "./open-invitations.tsx";
import { UserRow } from "./user-row.tsx";
import { UserSearchBar } from "./user-search-bar.tsx";

/** On a phone, role and state stand below the name. */
const NARROW =
	"max-md:[&_:is(th,td):nth-child(4)]:hidden max-sm:[&_:is(th,td):nth-child(2)]:hidden max-sm:[&_:is(th,td):nth-child(3)]:hidden";

/** The users of a tenant, and who is invited. */
export const UsersPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const search = useSearch({ from: "/signed-in/tenant/$tenantId/users" });
	const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
		usersQuery(tenantId, search),
	);
	const [dialog, setDialog] = useState<"invite" | "create" | null>(null);
	const [action, setAction] = useState<OpenAction | null>(null);
	const users = data?.pages.flatMap((page) => page.users) ?? [];
	return (
		<>
			<PageHeader
				title="Users"
				intro="Everyone who can sign in to this tenant."
				actions={
					<>
						<Button onClick={() => setDialog("create")}>Create user</Button>
						{viewer.features.invitations && (
							<Button kind="primary" onClick={() => setDialog("invite")}>
								<UserPlus className="size-4" aria-hidden /> Invite
							</Button>
						)}
					</>
				}
			/>
			<div className="grid gap-6">
				{viewer.features.invitations && <OpenInvitations />}
				<Card isFlush>
					<UserSearchBar />
					{isPending && <SkeletonRows />}
					{error && (
						<div className="px-5 pb-5">
							<ErrorNotice error={error} retry={() => void refetch()} />
						</div>
					)}
					{data && users.length === 0 && <NoUsers isSearch={search.search !== undefined} />}
					{users.length > 0 && (
						<Table
							caption="Users"
							className={NARROW}
							head={[
								"User",
								"Role",
								"State",
								<span key="created">Created</span>,
								<span key="menu" className="sr-only">
									Actions
								</span>,
							]}
						>
							{users.map((user) => (
								<UserRow key={user.id} user={user} onAction={(kind) => setAction({ kind, user })} />
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
			</div>
			<InviteDialog isOpen={dialog === "invite"} onClose={() => setDialog(null)} />
			<CreateUserDialog isOpen={dialog === "create"} onClose={() => setDialog(null)} />
			<UserActionDialogs open={action} onClose={() => setAction(null)} />
		</>
	);
};

const NoUsers = ({ isSearch }: { isSearch: boolean }) =>
	isSearch ? (
		<Empty icon={SearchX} title="Nobody found">
			The search looks at the beginning of the email or the name. Names distinguish upper and lower case.
		</Empty>
	) : (
		<Empty icon={Users} title="No users yet">
			Invite the first one, or let users sign up on the tenant's sign-in page.
		</Empty>
	);
