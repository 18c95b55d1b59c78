import { useQuery } from "@tanstack/react-query";
import { Monitor } from "lucide-react";
import { useState } from "react";
import { sessionsQuery } from "../api/account.ts";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { nameDevice } from "../ui/name-device.ts";
import { ErrorNotice } from "../ui/notice.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { Time } from "../ui/time.tsx";
import { say } from "../ui/toasts.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

/** Where the user is signed in. */
export const SessionsCard = ({ currentId }: { currentId: string }) => {
	const { data, error, refetch } = useQuery(sessionsQuery);
	const [ending, setEnding] = useState<string | null>(null);
	const [isEndingOthers, setEndingOthers] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const reload = useReloadAccount();
	const end = async (id: string, token: string): Promise<void> => {
		setEnding(id);
		setProblem(null);
		try {
			await unwrap(authClient.revokeSession({ token }));
			await reload();
			say("The session is ended");
		} catch (failed) {
			setProblem(failed);
		}
		setEnding(null);
	};
	const endOthers = async (): Promise<void> => {
		await unwrap(authClient.revokeOtherSessions());
		await reload();
		say("All other devices are signed out");
	};
	const failure = problem ?? error;
	const sessions = [...(data ?? [])].sort(
		(one, other) => Number(other.id === currentId) - Number(one.id === currentId),
	);
	return (
		<Card
			title="Sessions"
			intro="Devices where you are signed in. If you do not recognize one, end its session and change your password."
			actions={sessions.length > 1 && <Button onClick={() => setEndingOthers(true)}>End all others</Button>}
			isFlush
		>
			{!data && !error && <SkeletonRows rows={2} />}
			{failure !== null && (
				<div className="px-5 pb-5">
					<ErrorNotice error={failure} retry={() => void refetch()} />
				</div>
			)}
			<ul>
				{sessions.map(({ id, token, userAgent, ipAddress, createdAt }) => (
					<li key={id} className="flex flex-wrap items-center gap-3 border-t border-hair px-5 py-3">
						<Monitor className="size-4.5 shrink-0 text-soft" aria-hidden />
						<div className="grid min-w-0 flex-1 basis-40">
							<span className="flex flex-wrap items-center gap-2">
								<span className="font-medium wrap-anywhere" title={userAgent ?? undefined}>
									{nameDevice(userAgent ?? null)}
								</span>
								{id === currentId && <Badge tone="accent">This device</Badge>}
							</span>
							<span className="text-sm wrap-anywhere text-soft">
								{ipAddress || "Unknown address"} · signed in <Time at={createdAt} />
							</span>
						</div>
						{id !== currentId && (
							<Button kind="quiet" isBusy={ending === id} onClick={() => void end(id, token)}>
								End
							</Button>
						)}
					</li>
				))}
			</ul>
			<Confirm
				title="End all other sessions?"
				action="End all others"
				isOpen={isEndingOthers}
				onClose={() => setEndingOthers(false)}
				onConfirm={endOthers}
			>
				You stay signed in here and sign in again on all other devices.
			</Confirm>
		</Card>
	);
};
