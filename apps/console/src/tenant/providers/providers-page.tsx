import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useState } from "react";
import { methodsQuery, oauthConfigsQuery } from "../../api/oauth-configs.ts";
import { useViewer } from "../../app/use-viewer.ts";
import { Badge } from "../../ui/badge.tsx";
import { Empty } from "../../ui/empty.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useTenantId } from "../use-tenant.ts";
import { knownProviders, type OauthProvider } from "./known-providers.ts";
import { ProviderLogo } from "./provider-logo.tsx";

type State = "own" | "disabled" | "unreadable" | "global" | "none";

/** All providers: first what users of this tenant can sign in with, then the rest. */
export const ProvidersPage = () => {
	const tenantId = useTenantId();
	const viewer = useViewer();
	const configs = useQuery(oauthConfigsQuery(tenantId));
	const methods = useQuery(methodsQuery(tenantId));
	const [search, setSearch] = useState("");
	const known = knownProviders(viewer.socialProviders).filter(({ name }) =>
		name.toLowerCase().includes(search.trim().toLowerCase()),
	);
	const stateOf = (id: string): State => {
		const config = configs.data?.find(({ providerId }) => providerId === id);
		if (config) return !config.readable ? "unreadable" : config.enabled ? "own" : "disabled";
		return methods.data?.providers.some((one) => one.id === id) ? "global" : "none";
	};
	const used = known.filter(({ id }) => stateOf(id) !== "none");
	const unused = known.filter(({ id }) => stateOf(id) === "none");
	return (
		<>
			<PageHeader
				title="OAuth providers"
				intro="Let users sign in with an existing account, using the tenant's own credentials at the provider."
			/>
			{configs.error && <ErrorNotice error={configs.error} retry={() => void configs.refetch()} />}
			{!configs.data && !configs.error && <Loading />}
			{configs.data && (
				<div className="grid gap-8">
					<div className="max-w-sm">
						<SearchField label="Search providers" placeholder="Search providers" value={search} onSearch={setSearch} />
					</div>
					{used.length > 0 && <Gallery title="In use" providers={used} stateOf={stateOf} />}
					{unused.length > 0 && <Gallery title="Available" providers={unused} stateOf={stateOf} />}
					{known.length === 0 && (
						<Empty icon={SearchX} title="No provider found">
							No provider that the service knows has this name.
						</Empty>
					)}
				</div>
			)}
		</>
	);
};

const BADGES = {
	own: <Badge tone="good">Configured</Badge>,
	disabled: <Badge tone="neutral">Turned off</Badge>,
	unreadable: <Badge tone="danger">Enter it again</Badge>,
	global: <Badge tone="accent">Shared</Badge>,
	none: null,
};

type GalleryProps = {
	title: string;
	providers: OauthProvider[];
	stateOf: (id: string) => State;
};

const Gallery = ({ title, providers, stateOf }: GalleryProps) => {
	const tenantId = useTenantId();
	return (
		<section className="grid gap-3">
			<h2 className="text-lg">{title}</h2>
			<ul className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
				{providers.map(({ id: providerId, name }) => (
					<li key={providerId}>
						<Link
							to="/tenant/$tenantId/providers/$providerId"
							params={{ tenantId, providerId }}
							className="flex min-h-16 items-center gap-3 rounded-lg border border-hair bg-surface px-3.5 py-2.5 shadow-card transition-colors hover:border-edge"
						>
							<ProviderLogo providerId={providerId} />
							<span className="min-w-0 flex-1 truncate font-medium">{name}</span>
							{BADGES[stateOf(providerId)]}
						</Link>
					</li>
				))}
			</ul>
		</section>
	);
};

const Loading = () => (
	<div role="status" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-3">
		<span className="sr-only">Loading</span>
		{Array.from({ length: 9 }, (_, at) => (
			<Skeleton key={at} className="h-16 rounded-lg" />
		))}
	</div>
);
