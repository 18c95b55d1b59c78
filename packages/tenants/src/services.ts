import type { AuthContext, GenericEndpointContext } from "@better-auth/core";
import { BetterAuthError } from "@better-auth/core/error";
import type { OAuthProvider } from "@better-auth/core/oauth2";
import type { BodyBounds } from "./bounds/body-bounds.ts";
import type { ManagedDomains } from "./domains/managed-domains.ts";
import type { EarlyShed } from "./hashing/shed-early.ts";
import type { ImpersonationGuard } from "./management/impersonation-guard.ts";
import type { Management } from "./management/management.ts";
import type { VerificationEnd } from "./move/end-verifications.ts";
import type { UserMove } from "./move/user-move.ts";
import type { UserTable } from "./move/user-tables.ts";
import type { CallBounds } from "./oauth/bounded-provider.ts";
import type { CallbackURLs } from "./oauth/callback-urls.ts";
import type { FlowProvider } from "./oauth/flow-provider.ts";
import type { ManagedConfigs } from "./oauth/managed-configs.ts";
import type { Reseal } from "./oauth/reseal.ts";
import type { TenantProviders } from "./oauth/tenant-providers.ts";
import type { ApiKeyGuard } from "./scope/api-key-guard.ts";
import type { Foresee } from "./scope/foresee.ts";
import type { GrantGuard } from "./scope/grant-guard.ts";
import type { Hosts } from "./scope/hosts.ts";
import type { KnownTenants } from "./scope/known-tenants.ts";
import type { PendingSessions } from "./scope/pending-sessions.ts";
import type { createRequestScope } from "./scope/request-scope.ts";
import type { createTenantSecrets } from "./scope/secrets.ts";
import type { SignedValues } from "./scope/signed-values.ts";
import type { TenantContext } from "./scope/tenant-context.ts";
import type { ClosedTenants } from "./tenants/closing.ts";
import type { DeletionCounts } from "./tenants/count-deletions.ts";
import type { TenantDeletion } from "./tenants/deletion.ts";
import type { SignInMethods } from "./tenants/offered-methods.ts";
import type { TenantProfiles } from "./tenants/tenant-profiles.ts";
import type { TenantStore } from "./tenants/tenant-store.ts";
import type { UserExport } from "./transfer/user-export.ts";
import type { UserImport } from "./transfer/user-import.ts";

/** A user who is about to be created. */
export type Newcomer = { tenantId: string; email: string; emailVerified: boolean };

/** Call both in the scope of the tenant. */
export type InvitationAdmission = {
	admits: (newcomer: Newcomer) => Promise<boolean>;
	markUsed: (newcomer: Newcomer) => Promise<void>;
};

/** What companion plugins add to the services when they start. Empty without them. */
export type Companions = {
	/** The open invitations, for a policy that lets only invited users sign up. */
	invitations?: (ctx: GenericEndpointContext) => InvitationAdmission;
	/** Removes the sign-in methods that the tenant's policy does not allow. Null stands for a tenant that does not exist. */
	restrictMethods?: (tenantId: string | null, methods: SignInMethods) => Promise<SignInMethods>;
};

/** The plugin's services, created when Better Auth starts. */
export type TenantAuthServices = {
	pin: TenantContext;
	management: Management;
	requestScope: ReturnType<typeof createRequestScope>;
	tenants: TenantStore;
	/** what anyone may know of a tenant */
	profiles: TenantProfiles;
	deletion: TenantDeletion;
	closed: ClosedTenants;
	/** which hosts belong to tenants, if the resolver reads the host */
	hosts: Hosts | null;
	domains: ManagedDomains;
	configs: ManagedConfigs;
	known: KnownTenants;
	/** what companion plugins add when they start */
	companions: Companions;
	/** how long, and for how many tenants, companions keep what they read of a tenant */
	cache: { maxAge: number; maxSize: number };
	providers: TenantProviders;
	/** the application's own providers */
	globalProviders: () => OAuthProvider[];
	/** the base URL of `oauth.callbackHost`; null if it is not set */
	callbackBase: string | null;
	flowProvider: FlowProvider;
	/** the redirect URIs that sign-ins of a tenant send */
	callbackURLs: CallbackURLs;
	reseal: Reseal;
	/** a tenant's secrets, to sign a cookie for a tenant other than the request's */
	secrets: ReturnType<typeof createTenantSecrets>;
	/** the application's secrets that verify, each once: with `verifyWithAllSecrets: false` only the first */
	verifyingSecrets: readonly string[];
	/** reads a signed cookie of a tenant other than the request's */
	signedValue: SignedValues;
	/** The limits of a request's calls to servers that a tenant configured. */
	callBounds: () => CallBounds;
	impersonation: ImpersonationGuard;
	/** Keeps sessions that lack a second factor from being sessions. */
	pendingSessions: PendingSessions;
	/** Refuses tokens to OAuth clients for users and sessions that companions no longer allow. */
	grants: GrantGuard;
	apiKeys: ApiKeyGuard;
	/** Predicts the tenant of a request that the engine has not processed yet. */
	foresee: Foresee;
	/** the most bytes of a body, by path */
	bodyBounds: BodyBounds;
	shedEarly: EarlyShed;
	/** milliseconds that a response takes at least, if its time would reveal an account */
	responseFloor: number;
	/** the engine's own hash functions, below the queue and what plugins add */
	enginePassword: AuthContext["password"];
	/** Throws while the database cannot isolate tenants. */
	assertTenantsOpen: () => Promise<void>;
	/** Whether the request acts as a user of its tenant whose rights can end while it runs. */
	hasActors: () => Promise<boolean>;
	/** Locks them until the transaction ends. Throws if their rights ended since the request saw them. */
	holdActors: () => Promise<void>;
	exportUsers: UserExport;
	importUsers: UserImport;
	moveUsers: UserMove;
	/** the tables with rows of users; a table that refers to another one comes before it */
	userTables: UserTable[];
	verifications: VerificationEnd;
	/** what the plugin does in this process */
	activity: () => { hashing: { running: number; waiting: number }; deletions: DeletionCounts };
	/** the ids of the SSO providers that a tenant's users can use */
	ssoMethods: (tenantId: string) => Promise<string[]>;
};

/** A Better Auth instance with `tenantAuth()`. */
export type RunningAuth = { $context: PromiseLike<object> };

/** Reads the services of an instance. */
export const servicesOfAuth = async (auth: RunningAuth): Promise<TenantAuthServices> => {
	const { tenantAuth } = (await auth.$context) as { tenantAuth?: TenantAuthServices };
	if (!tenantAuth) throw new BetterAuthError("This Better Auth instance has no tenantAuth(). Add it to `plugins`.");
	return tenantAuth;
};

/**
 * Reads the services from the context. Each instance of Better Auth has its own, even if instances share a plugin
 * object.
 */
export const servicesOf = (ctx: Pick<GenericEndpointContext, "context">): TenantAuthServices => {
	const { tenantAuth } = ctx.context as GenericEndpointContext["context"] & { tenantAuth?: TenantAuthServices };
	if (!tenantAuth)
		throw new BetterAuthError("tenantAuth: the context of Better Auth was replaced, so tenants cannot be isolated");
	return tenantAuth;
};
