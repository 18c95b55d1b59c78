import { createAuthClient } from "better-auth/client";
import { inferAdditionalFields, twoFactorClient } from "better-auth/client/plugins";
import { createAuthClient as createReactClient } from "better-auth/react";
import { createAuthClient as createSolidClient } from "better-auth/solid";
import { createAuthClient as createSvelteClient } from "better-auth/svelte";
import { createAuthClient as createVueClient } from "better-auth/vue";
import {
	tenantAdminClient,
	tenantAuthClient,
	tenantInvitationsClient,
	tenantLifecycleClient,
	tenantPolicyClient,
} from "better-auth-tenants/client";
import type { composed } from "./index.ts";
import { same } from "./same.ts";

// each plugin alone
export const tenants = createAuthClient({ plugins: [tenantAuthClient()] });
export const administration = createAuthClient({ plugins: [tenantAdminClient()] });
export const invitations = createAuthClient({ plugins: [tenantInvitationsClient()] });
export const policies = createAuthClient({ plugins: [tenantPolicyClient()] });
export const lifecycle = createAuthClient({ plugins: [tenantLifecycleClient()] });
// @ts-expect-error there is no such option
export const misspelled = tenantAuthClient({ tenant: "acme-id" });

// all of them, in every framework
const plugins = [
	tenantAuthClient({ tenantId: () => "acme-id" }),
	tenantAdminClient(),
	tenantInvitationsClient(),
	tenantPolicyClient(),
	tenantLifecycleClient(),
] as const;
export const plain = createAuthClient({ plugins: [...plugins] });
export const react = createReactClient({ plugins: [...plugins] });
export const vue = createVueClient({ plugins: [...plugins] });
export const svelte = createSvelteClient({ plugins: [...plugins] });
export const solid = createSolidClient({ plugins: [...plugins] });

export const useAlone = async () => {
	const { data } = await tenants.tenant.create({ name: "Acme", slug: "acme" });
	same<NonNullable<typeof data>["slug"], string>(true);
	// @ts-expect-error a tenant requires a slug
	await tenants.tenant.create({ name: "Acme" });
	const page = await tenants.tenant.listPage({ limit: 10 });
	same<NonNullable<typeof page.data>["nextCursor"], string | null>(true);
	// @ts-expect-error there is no such endpoint
	await tenants.tenant.invent();
	// @ts-expect-error this client has no policies
	await tenants.tenant.policy.get({ query: { tenantId: "acme-id" } });
	const users = await administration.tenant.user.list({ query: { tenantId: "acme-id" } });
	same<NonNullable<typeof users.data>[number]["email"], string>(true);
	// @ts-expect-error there is no such role
	await administration.tenant.user.setRole({ tenantId: "acme-id", userId: "u", role: "king" });
	const invitation = await invitations.tenant.invitation.get({ query: { token: "t" } });
	same<NonNullable<typeof invitation.data>["tenant"]["name"], string>(true);
	// @ts-expect-error an invitation is of one tenant
	await invitations.tenant.invitation.create({ tenantId: 1, email: "ada@example.com" });
	const factor = await policies.tenant.secondFactor();
	same<NonNullable<typeof factor.data>["secondFactor"], "verify" | "enroll" | null>(true);
	// @ts-expect-error there is no such rule
	await policies.tenant.policy.update({ tenantId: "acme-id", policy: { color: "red" } });
	await lifecycle.tenant.suspend({ tenantId: "acme-id", reason: "unpaid" });
	// @ts-expect-error a suspension has a reason
	await lifecycle.tenant.suspend({ tenantId: "acme-id" });
};

export const useTogether = async () => {
	for (const client of [plain, react, vue, svelte, solid]) {
		const signedIn = await client.tenant.signIn.email({ email: "ada@example.com", password: "correct horse battery" });
		same<NonNullable<typeof signedIn.data>["user"]["tenantId"], string>(true);
		await client.tenant.user.list({ query: { tenantId: "acme-id" } });
		await client.tenant.invitation.accept({ token: "t", name: "Ada", password: "correct horse battery" });
		await client.tenant.policy.get({ query: { tenantId: "acme-id" } });
		await client.tenant.restore({ tenantId: "acme-id" });
		await client.signUp.email({ tenantId: "acme-id", name: "Ada", email: "ada@example.com", password: "x" });
	}
	// @ts-expect-error there is no such endpoint
	await react.tenant.invent();
	const { data } = react.useSession();
	same<NonNullable<typeof data>["user"]["tenantId"], string>(true);
};

same<typeof tenants.$Infer.Session.user.tenantId, string>(true);
same<typeof react.$Infer.Session.session.tenantId, string>(true);
// @ts-expect-error the tenant is a text
same<typeof tenants.$Infer.Session.user.tenantId, number>(true);
same<typeof plain.$ERROR_CODES.TENANT_NOT_FOUND.code, "TENANT_NOT_FOUND">(true);

// with the fields of the application and another plugin
export const typed = createAuthClient({
	plugins: [tenantAuthClient<typeof composed>(), twoFactorClient(), inferAdditionalFields<typeof composed>()],
});
export const signUp = async () => {
	const ada = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
	const { data } = await typed.tenant.signUp.email({ ...ada, team: "blue" });
	same<NonNullable<typeof data>["user"]["team"], string>(true);
	// @ts-expect-error the application requires a team
	await typed.tenant.signUp.email(ada);
};
