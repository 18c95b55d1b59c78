import type { ReactNode } from "react";
import { isWebAddress } from "./return-to.ts";
import { useScope } from "./scope.ts";

/**
 * A tenant that the application knows for the user.
 *
 * @example
 * ```tsx
 * const acme: KnownTenant = { id: "acme-id", name: "Acme", url: "https://acme.app.example.com" };
 * ```
 */
export type KnownTenant = {
	/** The id of the tenant. */
	id: string;
	/** The name to show. */
	name: string;
	/** The address of the application for this tenant. Leave it out if all tenants share one address. */
	url?: string | undefined;
};

/**
 * Properties of `TenantSwitcher`.
 *
 * @example
 * ```tsx
 * const props: TenantSwitcherProps = { tenants: [{ id: "acme-id", name: "Acme" }], onSwitch: (id) => console.log(id) };
 * ```
 */
export type TenantSwitcherProps = {
	/** The tenants to show, in this order. Your application decides which: a session knows its own tenant only. */
	tenants: readonly KnownTenant[];
	/** The current tenant. By default that of the provider. Set it if the host decides the tenant. */
	currentId?: string;
	/** Called with the id of a tenant without `url`. Pass that id to the provider as `tenantId`. */
	onSwitch?: (tenantId: string) => void;
	/** The class of the outer element. */
	className?: string;
};

/**
 * Shows the tenants that your application knows for a user, and leads to them. It does not sign in: each tenant has its own
 * account and its own session, also for the same email. A tenant with `url` is a link, another one calls `onSwitch`.
 *
 * @example
 * ```tsx
 * const Header = () => (
 * 	<TenantSwitcher
 * 		currentId="acme-id"
 * 		tenants={[
 * 			{ id: "acme-id", name: "Acme", url: "https://acme.app.example.com" },
 * 			{ id: "globex-id", name: "Globex", url: "https://globex.app.example.com" },
 * 		]}
 * 	/>
 * );
 * ```
 */
export const TenantSwitcher = ({ tenants, currentId, onSwitch, className }: TenantSwitcherProps): ReactNode => {
	const { texts, tenantId } = useScope();
	const current = currentId ?? tenantId;
	return (
		<nav className={className} aria-label={texts.tenants} data-part="tenant-switcher">
			<ul data-part="tenants">
				{tenants.map((tenant) => (
					<li key={tenant.id} data-part="tenant" data-current={tenant.id === current || undefined}>
						<Entry tenant={tenant} isCurrent={tenant.id === current} onSwitch={onSwitch} />
					</li>
				))}
			</ul>
		</nav>
	);
};

type EntryProps = { tenant: KnownTenant; isCurrent: boolean; onSwitch: TenantSwitcherProps["onSwitch"] };

const Entry = ({ tenant: { id, name, url }, isCurrent, onSwitch }: EntryProps) => {
	if (url !== undefined && isWebAddress(url))
		return (
			<a href={url} aria-current={isCurrent} data-part="tenant-link">
				{name}
			</a>
		);
	// an address that would run a script is not followed, and nothing else is known about the tenant
	if (url !== undefined || !onSwitch)
		return (
			<span aria-current={isCurrent} data-part="tenant-name">
				{name}
			</span>
		);
	return (
		<button type="button" aria-current={isCurrent} data-part="tenant-button" onClick={() => onSwitch(id)}>
			{name}
		</button>
	);
};
