import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { invitationsQuery } from "../../api/users.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload, useTenantId } from "../use-tenant.ts";
import { RoleBadge } from "./badges.tsx";

type Invitation = NonNullable<ReturnType<typeof useInvitations>["data"]>[number];
const useInvitations = () => useQuery(invitationsQuery(useTenantId()));

/** Who is invited and has not joined. Not shown while nobody is. */
export const OpenInvitations = () => {
	const { data, error, refetch } = useInvitations();
	const [revoked, setRevoked] = useState<Invitation | null>(null);
	const tenantId = useTenantId();
	const reload = useReload();
	const revoke = async (): Promise<void> => {
		if (!revoked) return;
		await unwrap(authClient.tenant.invitation.revoke({ tenantId, id: revoked.id }));
		await reload();
		say(`The invitation of ${revoked.email} is revoked`);
	};
	if (error) return <ErrorNotice error={error} retry={() => void refetch()} />;
	if (!data?.length) return null;
	return (
		<Card title="Open invitations" isFlush>
			<ul className="border-t border-hair">
				{data.map((invitation) => (
					<InvitationRow key={invitation.id} invitation={invitation} onRevoke={() => setRevoked(invitation)} />
				))}
			</ul>
			<Confirm
				title="Revoke this invitation?"
				action="Revoke"
				isDanger
				isOpen={revoked !== null}
				onClose={() => setRevoked(null)}
				onConfirm={revoke}
			>
				The link in the mail to <strong>{revoked?.email}</strong> stops working at once.
			</Confirm>
		</Card>
	);
};

const InvitationRow = ({ invitation, onRevoke }: { invitation: Invitation; onRevoke: () => void }) => {
	const { id, tenantId, email, role, sentAt, expiresAt } = invitation;
	const reload = useReload();
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const resend = async (): Promise<void> => {
		setBusy(true);
		setProblem(null);
		try {
			await unwrap(authClient.tenant.invitation.resend({ tenantId, id }));
			say(`${email} got a new link. The old one stopped working`);
			await reload();
		} catch (refused) {
			setProblem(refused);
		}
		setBusy(false);
	};
	const isExpired = new Date(expiresAt) < new Date();
	return (
		<li className="grid gap-2 border-b border-hair px-5 py-3 last:border-b-0">
			<div className="flex flex-wrap items-center gap-x-3 gap-y-2">
				<div className="grid min-w-0 flex-1 basis-56">
					<span className="flex flex-wrap items-center gap-2">
						<span className="font-medium wrap-anywhere">{email}</span>
						<RoleBadge role={role} />
						{isExpired && <Badge tone="warn">Expired</Badge>}
					</span>
					<span className="text-sm text-soft">
						Sent <Time at={sentAt} />, {isExpired ? "ended" : "ends"} <Time at={expiresAt} />
					</span>
				</div>
				<div className="flex gap-2">
					<Button isBusy={isBusy} onClick={() => void resend()} aria-label={`Resend the invitation of ${email}`}>
						Resend
					</Button>
					<Button kind="quiet" onClick={onRevoke} aria-label={`Revoke the invitation of ${email}`}>
						Revoke
					</Button>
				</div>
			</div>
			{problem !== null && <ErrorNotice error={problem} />}
		</li>
	);
};
