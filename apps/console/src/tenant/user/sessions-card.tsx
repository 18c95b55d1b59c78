import { Monitor } from "lucide-react";
import { useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import type { ListedUser } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { nameDevice } from "../../ui/name-device.ts";
import { ErrorNotice } from "../../ui/notice.tsx";
import { Time } from "../../ui/time.tsx";
import { say } from "../../ui/toasts.tsx";
import { authorityOver } from "../authority.ts";
import { useReload } from "../use-tenant.ts";
import { useTarget } from "./use-target.ts";

type Session = {
	id: string;
	createdAt: Date;
	expiresAt: Date;
	ipAddress: string | null;
	userAgent: string | null;
	impersonated: boolean;
};

type With = { user: ListedUser & { sessions: Session[] }; onEndAll: () => void };

/** Where the user is signed in. */
export const SessionsCard = ({ user, onEndAll }: With) => {
	const canEnd = authorityOver(useViewer(), user).canServe;
	const target = useTarget(user);
	const reload = useReload();
	const [ending, setEnding] = useState<string | null>(null);
	const [problem, setProblem] = useState<unknown>(null);
	const end = async (sessionId: string): Promise<void> => {
		setEnding(sessionId);
		setProblem(null);
		try {
			await unwrap(authClient.tenant.user.endSessions({ ...target, sessionId }));
			await reload();
			say("The session ended");
		} catch (refused) {
			setProblem(refused);
		}
		setEnding(null);
	};
	return (
		<Card
			title="Sessions"
			actions={canEnd && user.sessions.length > 0 && <Button onClick={onEndAll}>End all</Button>}
			isFlush
		>
			{problem !== null && (
				<div className="px-5 pb-4">
					<ErrorNotice error={problem} />
				</div>
			)}
			{user.sessions.length === 0 ? (
				<p className="px-5 pb-5 text-sm text-soft">The user is not signed in anywhere.</p>
			) : (
				<ul className="border-t border-hair">
					{user.sessions.map(({ id, createdAt, expiresAt, ipAddress, userAgent, impersonated }) => (
						<li key={id} className="flex flex-wrap items-center gap-3 border-b border-hair px-5 py-3 last:border-b-0">
							<Monitor className="size-4.5 shrink-0 text-soft" aria-hidden />
							<div className="grid min-w-0 flex-1 basis-48">
								<span className="flex flex-wrap items-center gap-2">
									<span className="font-medium wrap-anywhere" title={userAgent ?? undefined}>
										{nameDevice(userAgent)}
									</span>
									{impersonated && <Badge tone="warn">Impersonated</Badge>}
								</span>
								<span className="text-sm wrap-anywhere text-soft">
									{ipAddress ?? "Unknown address"} · signed in <Time at={createdAt} /> · ends <Time at={expiresAt} />
								</span>
							</div>
							{canEnd && (
								<Button
									kind="quiet"
									isBusy={ending === id}
									onClick={() => void end(id)}
									aria-label={`End the session ${nameDevice(userAgent)}`}
								>
									End
								</Button>
							)}
						</li>
					))}
				</ul>
			)}
		</Card>
	);
};
