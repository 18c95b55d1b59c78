import { useQuery } from "@tanstack/react-query";
import { accountsQuery, sessionQuery } from "../api/account.ts";
import { useViewer } from "../app/use-viewer.ts";
import { Card } from "../ui/card.tsx";
import { ErrorNotice } from "../ui/notice.tsx";
import { PageHeader } from "../ui/page-header.tsx";
import { SkeletonRows } from "../ui/skeleton.tsx";
import { LinkedAccountsCard } from "./linked-accounts-card.tsx";
import { PasskeysCard } from "./passkeys-card.tsx";
import { PasswordCard } from "./password-card.tsx";
import { ProfileCard } from "./profile-card.tsx";
import { SecondFactorCard } from "./second-factor-card.tsx";
import { SessionsCard } from "./sessions-card.tsx";

/** The user's own account, for operators, admins and members alike. */
export const AccountPage = () => {
	const { features } = useViewer();
	const { data: current, error, refetch } = useQuery(sessionQuery);
	const { data: accounts } = useQuery(accountsQuery);
	const hasPassword = accounts?.some(({ providerId }) => providerId === "credential") ?? false;
	return (
		<div className="max-w-3xl">
			<PageHeader title="Your account" intro="Your name, how you sign in, and where you are signed in." />
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!error && !(current && accounts) && (
				<Card isFlush>
					<SkeletonRows rows={5} />
				</Card>
			)}
			{current && accounts && (
				<div className="grid gap-6">
					<ProfileCard user={current.user} />
					{hasPassword && <PasswordCard />}
					{features.twoFactor && (
						<SecondFactorCard
							isOn={"twoFactorEnabled" in current.user && current.user.twoFactorEnabled === true}
							hasPassword={hasPassword}
						/>
					)}
					{features.passkey && <PasskeysCard />}
					<LinkedAccountsCard accounts={accounts} />
					<SessionsCard currentId={current.session.id} />
				</div>
			)}
		</div>
	);
};
