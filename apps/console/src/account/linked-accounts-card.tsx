import { useQuery } from "@tanstack/react-query";
import { KeyRound, Link2 } from "lucide-react";
import { useState } from "react";
import { methodsQuery } from "../api/account.ts";
import { authClient } from "../api/client.ts";
import { unwrap } from "../api/problem.ts";
import { PLACE } from "../place.ts";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { Confirm } from "../ui/confirm.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { Time } from "../ui/time.tsx";
import { say } from "../ui/toasts.tsx";
import { useReloadAccount } from "./use-reload-account.ts";

type Account = { id: string; providerId: string; createdAt: Date };

/** The ways to sign in: the password, and accounts at providers. The last one stays. */
export const LinkedAccountsCard = ({ accounts }: { accounts: Account[] }) => {
	const { data: methods } = useQuery(methodsQuery);
	const [unlinking, setUnlinking] = useState<Account | null>(null);
	const [problem, setProblem] = useState<unknown>(null);
	const reload = useReloadAccount();
	const providers = methods?.providers ?? [];
	const titleOf = (providerId: string): string =>
		providerId === "credential"
			? "Email and password"
			: (providers.find(({ id }) => id === providerId)?.name ?? providerId);
	const offered = providers.filter(({ id }) => !accounts.some(({ providerId }) => providerId === id));
	const link = async (provider: string): Promise<void> => {
		setProblem(null);
		// the client follows the redirect to the provider
		await unwrap(authClient.linkSocial({ provider, callbackURL: `${PLACE.console}/account` })).catch(setProblem);
	};
	const unlink = async ({ id, providerId }: Account): Promise<void> => {
		await unwrap(authClient.unlinkAccount({ accountId: id }));
		await reload();
		say(`${titleOf(providerId)} is unlinked`);
	};
	return (
		<Card
			title="Ways to sign in"
			actions={offered.map(({ id, name }) => (
				<Button key={id} onClick={() => void link(id)}>
					<Link2 className="size-4" aria-hidden /> Link {name}
				</Button>
			))}
			isFlush
		>
			{problem !== null && (
				<div className="px-5 pb-4">
					<ErrorNotice error={problem} />
				</div>
			)}
			<ul>
				{accounts.map((account) => (
					<li key={account.id} className="flex flex-wrap items-center gap-3 border-t border-hair px-5 py-3">
						<KeyRound className="size-4.5 shrink-0 text-soft" aria-hidden />
						<div className="grid min-w-0 flex-1 basis-40">
							<span className="font-medium wrap-anywhere">{titleOf(account.providerId)}</span>
							<span className="text-sm text-soft">
								since <Time at={account.createdAt} />
							</span>
						</div>
						{account.providerId !== "credential" && accounts.length > 1 && (
							<Button
								kind="quiet"
								aria-label={`Unlink ${titleOf(account.providerId)}`}
								onClick={() => setUnlinking(account)}
							>
								Unlink
							</Button>
						)}
					</li>
				))}
			</ul>
			{unlinking && (
				<Confirm
					title={`Unlink ${titleOf(unlinking.providerId)}?`}
					action="Unlink"
					isDanger
					isOpen
					onClose={() => setUnlinking(null)}
					onConfirm={() => unlink(unlinking)}
				>
					You can no longer sign in with it. The account there stays as it is.
				</Confirm>
			)}
		</Card>
	);
};
