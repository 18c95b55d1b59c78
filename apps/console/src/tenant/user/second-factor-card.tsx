import type { ListedUser } from "../../api/users.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { authorityOver } from "../authority.ts";

type With = { user: ListedUser & { secondFactors: string[] }; onReset: () => void };

/** Whether the user has a second factor, and the way out if they lost it. */
export const SecondFactorCard = ({ user, onReset }: With) => {
	const viewer = useViewer();
	const has = user.twoFactorEnabled || user.secondFactors.length > 0;
	if (!viewer.features.twoFactor && !has) return null;
	return (
		<Card
			title="Second factor"
			actions={has && authorityOver(viewer, user).canManage && <Button onClick={onReset}>Reset</Button>}
		>
			{has ? (
				<p className="flex flex-wrap items-center gap-2">
					<Badge tone="good">On</Badge> Authenticator app with backup codes
				</p>
			) : (
				<p className="text-sm text-soft">The user has no second factor.</p>
			)}
		</Card>
	);
};
