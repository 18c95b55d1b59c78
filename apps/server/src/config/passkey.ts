import { httpSection } from "./http.ts";
import { pluginsSection } from "./plugins.ts";
import { defineSection } from "./section.ts";
import { tenantsSection } from "./tenants.ts";
import { text } from "./variables.ts";

export const passkeySection = defineSection(
	{
		PASSKEY_RP_NAME: text().optional().meta({
			description:
				"For the passkey plugin: the name that users see when they create a passkey. The default is the host of AUTH_URL",
		}),
		PASSKEY_RP_ID: text()
			.regex(/^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i, {
				error: "is not a domain. Use a domain such as example.com",
			})
			.optional()
			.meta({
				description:
					"For the passkey plugin: the domain that passkeys belong to, if your pages are on another host than AUTH_URL. The default is the host of AUTH_URL. On a tenant's own host, passkeys always belong to that host",
			}),
	},
	({ PLUGINS, AUTH_URL, TRUSTED_ORIGINS, TENANT_RESOLVER, ...values }, mistakes) => {
		if (!PLUGINS.includes("passkey")) return null;
		const { host, hostname, origin } = new URL(AUTH_URL);
		const rpId = values.PASSKEY_RP_ID?.toLowerCase() ?? hostname;
		if (values.PASSKEY_RP_ID && TENANT_RESOLVER.some((name) => name === "subdomain" || name === "custom-domain"))
			mistakes.push("PASSKEY_RP_ID is set, but tenants have their own hosts, and passkeys belong to these. Remove it");
		// browsers use a passkey on its domain and below (WebAuthn Level 2, section 5.1.3)
		const origins = [origin, ...TRUSTED_ORIGINS.filter((trusted) => !trusted.includes("*"))].filter((page) => {
			const name = URL.parse(page)?.hostname ?? "";
			return name === rpId || name.endsWith(`.${rpId}`);
		});
		if (origins.length === 0)
			mistakes.push(
				"PASSKEY_RP_ID is the domain of neither AUTH_URL nor an origin in TRUSTED_ORIGINS, so no page could use a passkey. Use the domain of your pages, or a parent of it",
			);
		return {
			rpName: values.PASSKEY_RP_NAME ?? host,
			/** null for the host of the request */
			rpId: values.PASSKEY_RP_ID ? rpId : null,
			/** of the pages that may use passkeys, apart from tenants' own hosts */
			origins,
		};
	},
	{ needed: { ...pluginsSection.variables, ...httpSection.variables, ...tenantsSection.variables } },
);

export type PasskeyConfig = ReturnType<(typeof passkeySection)["read"]>;
