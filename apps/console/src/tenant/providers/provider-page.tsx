import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ChevronLeft } from "lucide-react";
import { useState } from "react";
import { authClient } from "../../api/client.ts";
import { methodsQuery, oauthConfigsQuery } from "../../api/oauth-configs.ts";
import { unwrap } from "../../api/problem.ts";
import { NotFound } from "../../app/not-found.tsx";
import { useViewer } from "../../app/use-viewer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { ErrorNotice, Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { say } from "../../ui/toasts.tsx";
import { canChangeTenant } from "../authority.ts";
import { useReload } from "../use-tenant.ts";
import { CredentialsForm } from "./credentials-form.tsx";
import { findProvider } from "./known-providers.ts";
import { ProviderLogo } from "./provider-logo.tsx";
import { TestCard } from "./test-card.tsx";

/** The tenant's credentials at one provider. */
export const ProviderPage = () => {
	const { tenantId, providerId } = useParams({ from: "/signed-in/tenant/$tenantId/providers/$providerId" });
	const viewer = useViewer();
	const provider = findProvider(providerId);
	const { data: configs, error, refetch } = useQuery(oauthConfigsQuery(tenantId));
	const { data: methods } = useQuery(methodsQuery(tenantId));
	const [isDeleting, setDeleting] = useState(false);
	if (!provider) return <NotFound />;
	const config = configs?.find((one) => one.providerId === providerId);
	const isShared = !config && methods?.providers.some(({ id }) => id === providerId);
	const canChange = canChangeTenant(viewer);
	return (
		<>
			<Link
				to="/tenant/$tenantId/providers"
				params={{ tenantId }}
				className="mb-3 -ml-1.5 inline-flex min-h-8 items-center gap-1 rounded-md pr-2 text-sm text-soft hover:text-ink"
			>
				<ChevronLeft className="size-4" aria-hidden /> OAuth providers
			</Link>
			<div className="flex max-w-3xl items-start gap-3.5">
				<ProviderLogo providerId={providerId} />
				<div className="min-w-0 flex-1">
					<PageHeader
						title={provider.name}
						badge={
							config && (
								<Badge tone={config.enabled ? "good" : "neutral"}>{config.enabled ? "Configured" : "Turned off"}</Badge>
							)
						}
						actions={config && canChange && <Button onClick={() => setDeleting(true)}>Delete credentials</Button>}
					/>
				</div>
			</div>
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!configs && !error && (
				<Card isFlush>
					<SkeletonRows rows={4} />
				</Card>
			)}
			{configs && (
				<div className="grid max-w-3xl gap-6">
					<Notices
						providerName={provider.name}
						isShared={isShared}
						isUnreadable={config !== undefined && !config.readable}
						canChange={canChange}
					/>
					{config && canChange && <TestCard tenantId={tenantId} providerId={providerId} />}
					<CredentialsForm
						key={String(config?.updatedAt ?? "new")}
						tenantId={tenantId}
						providerId={providerId}
						provider={provider}
						config={config}
						canChange={canChange}
					/>
				</div>
			)}
			<DeleteCredentials
				tenantId={tenantId}
				providerId={providerId}
				providerName={provider.name}
				isOpen={isDeleting}
				onClose={() => setDeleting(false)}
			/>
		</>
	);
};

type NoticesProps = {
	providerName: string;
	isShared: boolean | undefined;
	isUnreadable: boolean;
	canChange: boolean;
};

const Notices = ({ providerName, isShared, isUnreadable, canChange }: NoticesProps) => (
	<>
		{isShared && (
			<Notice title="Users sign in with the service's shared credentials">
				Add the tenant's own ones to show its name at {providerName}.
			</Notice>
		)}
		{isUnreadable && (
			<Notice tone="warn" title="The stored credentials cannot be read">
				The service's secret changed. Enter all fields again: users cannot sign in with {providerName} until then.
			</Notice>
		)}
		{!canChange && <Notice>Only owners can change credentials. Ask an owner of the tenant.</Notice>}
	</>
);

type DeleteCredentialsProps = {
	tenantId: string;
	providerId: string;
	providerName: string;
	isOpen: boolean;
	onClose: () => void;
};

const DeleteCredentials = ({ tenantId, providerId, providerName, isOpen, onClose }: DeleteCredentialsProps) => {
	const reload = useReload();
	const remove = async (): Promise<void> => {
		await unwrap(authClient.tenant.oauthConfig.delete({ tenantId, providerId }));
		await reload();
		say(`The credentials for ${providerName} are deleted`);
	};
	return (
		<Confirm
			title={`Delete the credentials for ${providerName}?`}
			action="Delete credentials"
			isDanger
			isOpen={isOpen}
			onClose={onClose}
			onConfirm={remove}
		>
			Users can then sign in with {providerName} only if the service has shared credentials. Accounts stay linked.
		</Confirm>
	);
};
