import type { IdentifierGroup } from "./identifier.ts";

const SCIM = { file: "packages/tenants/test/compose/scim.test.ts", title: "and nothing with a hint for another" };

export const MACHINES: IdentifierGroup = {
	title: "Organizations, keys and services",
	identifiers: [
		{
			name: "organization slug, team membership",
			sources: ["unique organization(tenantId, slug)", "unique teamMember.tenantUnique_membershipKey"],
			namespace: "pages of the application, if it uses slugs in URLs",
			separatedBy: "Unique with the tenant, and only read in it (`src/scope/compose/scope-plugin.ts`).",
			test: { file: "packages/tenants/test/compose/organization.test.ts", title: "have the same slug" },
		},
		{
			name: "API key",
			sources: [
				"by hand: x-api-key header",
				"by hand: API key prefix",
				"storage api-key:<43>",
				"storage api-key:by-id:<32>",
				"storage api-key:by-ref:<32>",
			],
			namespace: "one header for all tenants; found without a hint by an unscoped lookup of its hash",
			separatedBy:
				"Random. It is verified in the tenant that has it (`src/scope/request/credential-lookup.ts`). Prefixes identify nothing. Storage keys start with the tenant (`src/scope/data/storage.ts`).",
			test: { file: "packages/tenants/test/compose/api-key.test.ts", title: "and nothing with a hint for another" },
		},
		{
			name: "SCIM bearer",
			sources: [
				"unique scimManagedCredential(tenantId, credentialId)",
				"unique scimManagedCredential(tenantId, activeSlotKey)",
				"carried /scim/v2/Users",
				"carried /scim/v2/Users/:userId",
				"carried /scim/v2/Groups",
				"carried /scim/v2/Groups/:groupId",
				"carried /scim/v2/ServiceProviderConfig",
				"carried /scim/v2/Schemas",
				"carried /scim/v2/Schemas/:schemaId",
				"carried /scim/v2/ResourceTypes",
				"carried /scim/v2/ResourceTypes/:resourceTypeId",
				"request hook scim",
			],
			namespace: "one SCIM URL for all tenants",
			separatedBy:
				"The credential id in the bearer is random and identifies the tenant. The secret is verified in that tenant's rows (`src/scope/request/credential-columns.ts`).",
			test: SCIM,
		},
		{
			name: "SCIM connections, resources and keys",
			sources: [
				"unique scimManagedConnection(tenantId, connectionId)",
				"unique scimManagedConnection(tenantId, creationRequestId)",
				"unique scimManagedConnectionEvent(tenantId, eventKey)",
				"unique scimConnectionBinding(tenantId, connectionKey)",
				"unique scimIdentityTombstone(tenantId, externalIdKey)",
				"unique scimSubject(tenantId, userId)",
				"unique scimUser.tenantUnique_externalIdKey",
				"unique scimUser(tenantId, connectionUserKey)",
				"unique scimUser(tenantId, userNameKey)",
				"unique scimUser(tenantId, orderKey)",
				"unique scimProjectionGrant(tenantId, grantKey)",
				"unique scimGroup.tenantUnique_externalIdKey",
				"unique scimGroup(tenantId, displayNameKey)",
				"unique scimGroup(tenantId, orderKey)",
				"unique scimGroupMember(tenantId, membershipKey)",
			],
			namespace: "directories: one directory may provision the same users into several tenants",
			separatedBy: "Unique with the tenant, and only read in it (`src/scope/compose/scope-plugin.ts`).",
			test: SCIM,
		},
		{
			name: "SCIM schemas",
			sources: ["path /scim/v2/Schemas/:schemaId", "path /scim/v2/ResourceTypes/:resourceTypeId"],
			namespace: "constants of the specification (RFC 7643)",
			separatedBy: "Nothing: they are the same for everyone.",
			test: SCIM,
		},
		{
			name: "Stripe customer",
			sources: ["unique user.stripeCustomerId", "unique organization.stripeCustomerId"],
			namespace: "one Stripe account for all tenants",
			separatedBy:
				"Unique among all tenants, and not accepted from users (`src/scope/compose/scope-plugin.ts`): the first tenant keeps a customer.",
			test: {
				file: "packages/tenants/test/compose/stripe-customer.security.test.ts",
				title: "rejects a user's update that writes it into their own row",
			},
		},
		{
			name: "Stripe event",
			sources: ["carried /stripe/webhook"],
			namespace: "one webhook URL and secret for all tenants",
			separatedBy:
				"Stripe's signature is verified first; the customer or subscription in the event identifies the tenant (`src/scope/request/credential-columns.ts`).",
			test: { file: "packages/tenants/test/compose/stripe.security.test.ts", title: "lets a webhook find its tenant" },
		},
	],
};
