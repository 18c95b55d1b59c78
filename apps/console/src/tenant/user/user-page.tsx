import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { ChevronDown, ChevronLeft } from "lucide-react";
import { useState } from "react";
import { type ListedUser, userQuery } from "../../api/users.ts";
import { Badge } from "../../ui/badge.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Menu } from "../../ui/menu.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { Time } from "../../ui/time.tsx";
import { RoleBadge } from "../users/badges.tsx";
import { AccountsCard } from "./accounts-card.tsx";
import { type UserAction, UserActionDialogs } from "./action-dialogs.tsx";
import { UserMenuItems } from "./menu-items.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** One user of a tenant: who they are, how they sign in, where they are signed in. */
export const UserPage = () => {
	const { tenantId, userId } = useParams({ from: "/signed-in/tenant/$tenantId/users/$userId" });
	const { data: user, error, refetch } = useQuery(userQuery(tenantId, userId));
	const [action, setAction] = useState<UserAction | null>(null);
	const navigate = useNavigate();
	return (
		<>
			<Link
				to="/tenant/$tenantId/users"
				params={{ tenantId }}
				className="mb-3 -ml-1.5 inline-flex min-h-8 items-center gap-1 rounded-md pr-2 text-sm text-soft hover:text-ink"
			>
				<ChevronLeft className="size-4" aria-hidden /> Users
			</Link>
			<PageHeader
				title={user ? user.name || user.email : "User"}
				intro={user?.email}
				badge={user && <RoleBadge role={user.role} />}
				actions={user && <ActionsMenu user={user} onAction={setAction} />}
			/>
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!user && !error && (
				<Card isFlush>
					<SkeletonRows rows={4} />
				</Card>
			)}
			{user && (
				<div className="grid gap-6">
					{user.banned && <BanNotice user={user} />}
					<ProfileCard user={user} />
					<SessionsCard user={user} onEndAll={() => setAction("end-sessions")} />
					<AccountsCard accounts={user.accounts} />
					<SecondFactorCard user={user} onReset={() => setAction("reset-second-factor")} />
					<UserActionDialogs
						open={action && { kind: action, user }}
						onClose={() => setAction(null)}
						onGone={() => void navigate({ to: "/tenant/$tenantId/users", params: { tenantId } })}
					/>
				</div>
			)}
		</>
	);
};

type ActionsMenuProps = { user: ListedUser; onAction: (action: UserAction) => void };

const ActionsMenu = ({ user, onAction }: ActionsMenuProps) => (
	<Menu
		label="Actions"
		className={buttonClass()}
		trigger={
			<>
				Actions <ChevronDown className="size-4" aria-hidden />
			</>
		}
	>
		<UserMenuItems user={user} onAction={onAction} />
	</Menu>
);

const BanNotice = ({ user }: { user: ListedUser }) => (
	<Notice tone="warn" title="This user is banned">
		{user.banReason ? `Reason: ${user.banReason}` : "No reason was given."}
		<span className="block">
			{user.banExpires ? (
				<>
					It ends <Time at={user.banExpires} />.
				</>
			) : (
				"It does not expire."
			)}
		</span>
	</Notice>
);

const ProfileCard = ({ user }: { user: ListedUser }) => (
	<Card title="Profile">
		<Facts>
			<Fact name="Name">{user.name || "None"}</Fact>
			<Fact name="Email">
				<span className="flex flex-wrap items-center gap-x-2 gap-y-1">
					{user.email} {!user.emailVerified && <Badge tone="warn">Not verified</Badge>}
				</span>
			</Fact>
			<Fact name="User id">
				<span className="font-mono text-sm">{user.id}</span>
			</Fact>
			<Fact name="Created">
				<Time at={user.createdAt} />
			</Fact>
		</Facts>
	</Card>
);
