import { useQuery } from "@tanstack/react-query";
import { tenantQuery } from "../../api/tenants.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { PLACE } from "../../place.ts";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useTenantId } from "../use-tenant.ts";
import { DangerZone } from "./danger-zone.tsx";
import { NameForm } from "./name-form.tsx";

/** What identifies the tenant. Operators can rename and close it. */
export const SettingsPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const { data: tenant, error, refetch } = useQuery(tenantQuery(tenantId));
	return (
		<>
			<PageHeader title="Settings" intro="The name, the slug and the URLs of this tenant." />
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!tenant && !error && (
				<Card isFlush>
					<SkeletonRows rows={4} />
				</Card>
			)}
			{tenant && (
				<div className="grid max-w-3xl gap-6">
					<NameForm key={String(tenant.updatedAt)} tenant={tenant} canChange={viewer.role === "operator"} />
					<Card title="For developers">
						<div className="grid gap-4">
							<CopyField label="Tenant id" value={tenant.id} />
							{viewer.place === "tenant" && viewer.features.pages && (
								<CopyField label="Sign-in URL" value={`${location.origin}${PLACE.base}/sign-in`} />
							)}
							<CopyField label="API" value={PLACE.api} />
						</div>
					</Card>
					{viewer.role === "operator" && <DangerZone tenant={tenant} />}
				</div>
			)}
		</>
	);
};
