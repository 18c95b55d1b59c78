import type { LucideIcon } from "lucide-react";
import {
	Gauge,
	History,
	KeyRound,
	LayoutDashboard,
	Palette,
	Settings2,
	ShieldCheck,
	Users,
	Waypoints,
} from "lucide-react";
import type { Console } from "../api/console.ts";

export type TenantPage =
	| "/tenant/$tenantId"
	| "/tenant/$tenantId/users"
	| "/tenant/$tenantId/providers"
	| "/tenant/$tenantId/policy"
	| "/tenant/$tenantId/branding"
	| "/tenant/$tenantId/events"
	| "/tenant/$tenantId/settings";

type Entry<To> = { to: To; title: string; icon: LucideIcon };

export const OPERATOR_PAGES: Entry<"/overview" | "/tenants" | "/events">[] = [
	{ to: "/overview", title: "Overview", icon: Gauge },
	{ to: "/tenants", title: "Tenants", icon: Waypoints },
	{ to: "/events", title: "Events", icon: History },
];

/** Whose console it is, above the navigation. */
export const consoleName = ({ place, tenant }: Pick<Console, "place" | "tenant">): string =>
	place === "platform" ? "Console" : (tenant?.name ?? "Console");

/** The pages of one tenant. What the service has turned off is not shown. SSO, SCIM and domains get their place here. */
export const tenantPages = ({ features }: Pick<Console, "features">): Entry<TenantPage>[] => [
	{ to: "/tenant/$tenantId", title: "Overview", icon: LayoutDashboard },
	{ to: "/tenant/$tenantId/users", title: "Users", icon: Users },
	{ to: "/tenant/$tenantId/providers", title: "OAuth providers", icon: KeyRound },
	...(features.policy
		? [{ to: "/tenant/$tenantId/policy", title: "Policy", icon: ShieldCheck } satisfies Entry<TenantPage>]
		: []),
	...(features.pages
		? [{ to: "/tenant/$tenantId/branding", title: "Branding", icon: Palette } satisfies Entry<TenantPage>]
		: []),
	{ to: "/tenant/$tenantId/events", title: "Events", icon: History },
	{ to: "/tenant/$tenantId/settings", title: "Settings", icon: Settings2 },
];
