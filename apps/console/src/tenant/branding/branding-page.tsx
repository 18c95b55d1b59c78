import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { brandingQuery } from "../../api/branding.ts";
import { tenantQuery } from "../../api/tenants.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { PLACE } from "../../place.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SkeletonRows } from "../../ui/skeleton.tsx";
import { useTenantId } from "../use-tenant.ts";
import { BrandingForm } from "./branding-form.tsx";

/** How a tenant's sign-in pages look. */
export const BrandingPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const { data: branding, error, refetch } = useQuery(brandingQuery(tenantId));
	const { data: tenant } = useQuery(tenantQuery(tenantId));
	return (
		<>
			<PageHeader
				title="Branding"
				intro="How the sign-in pages of this tenant look."
				actions={
					viewer.place === "tenant" && (
						<a href={`${PLACE.base}/sign-in`} target="_blank" rel="noopener" className={buttonClass()}>
							<ExternalLink className="size-4" aria-hidden /> Open the sign-in page
						</a>
					)
				}
			/>
			{error && <ErrorNotice error={error} retry={() => void refetch()} />}
			{!branding && !error && (
				<Card isFlush>
					<SkeletonRows rows={6} />
				</Card>
			)}
			{branding && (
				<BrandingForm
					key={JSON.stringify(branding)}
					stored={branding}
					tenantId={tenantId}
					tenantName={tenant?.name ?? ""}
				/>
			)}
		</>
	);
};
