import { KeyRound } from "lucide-react";
import { Card } from "../../ui/card.tsx";
import { Time } from "../../ui/time.tsx";

type Account = { id: string; providerId: string; accountId: string; createdAt: Date };

/** How the user signs in. */
export const AccountsCard = ({ accounts }: { accounts: Account[] }) => (
	<Card title="Sign-in methods" isFlush>
		{accounts.length === 0 ? (
			<p className="px-5 pb-5 text-sm text-soft">
				None is stored. The user can reset their password, or sign in with a link or code by mail if the tenant allows
				it.
			</p>
		) : (
			<ul className="border-t border-hair">
				{accounts.map(({ id, providerId, accountId, createdAt }) => (
					<li key={id} className="flex items-center gap-3 border-b border-hair px-5 py-3 last:border-b-0">
						<KeyRound className="size-4.5 shrink-0 text-soft" aria-hidden />
						<div className="grid min-w-0 flex-1">
							<span className="font-medium">{providerId === "credential" ? "Password" : providerId}</span>
							{providerId !== "credential" && (
								<span className="font-mono text-xs wrap-anywhere text-soft">{accountId}</span>
							)}
						</div>
						<span className="text-sm text-soft">
							Added <Time at={createdAt} />
						</span>
					</li>
				))}
			</ul>
		)}
	</Card>
);
