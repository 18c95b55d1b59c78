import type { SignUpBody, SignUpResponse } from "../features/email/inferred-types.ts";
import type { BoundEndpoint } from "../features/email/inferring-endpoint.ts";
import type { PageQuery, TenantPage } from "../features/tenants/list-tenant-page.ts";
import type { TenantAuthPlugin } from "./plugin.ts";

type Endpoints = TenantAuthPlugin["endpoints"];

type ApiOf<Auth> = Auth extends { api: infer Api } ? Api : unknown;

/** The plugin as a client of `Auth` sees it. */
export type ServerPlugin<Auth> = Omit<TenantAuthPlugin, "endpoints"> & {
	endpoints: Omit<Endpoints, "signInTenantEmail" | "signUpTenantEmail"> & {
		signInTenantEmail: BoundEndpoint<"sign-in", Endpoints["signInTenantEmail"], ApiOf<Auth>>;
		signUpTenantEmail: BoundEndpoint<"sign-up", Endpoints["signUpTenantEmail"], ApiOf<Auth>>;
	};
};

type Failure = { code?: string | undefined; message?: string | undefined; status: number; statusText: string };
type Outcome<Data> = { data: Data; error: null } | { data: null; error: Failure };

type Headers = { headers?: Record<string, string> };

/** Lists one page of tenants. */
export type ListPage = (query?: PageQuery, options?: Headers) => Promise<Outcome<TenantPage>>;

/** `authClient.signUp.email({ tenantId, … })`: the engine's own sign-up in a tenant. */
export type SignUpActions<Auth> = {
	signUp: {
		email: (
			data: SignUpBody<ApiOf<Auth>> & { fetchOptions?: Headers },
			options?: Headers,
		) => Promise<Outcome<Omit<SignUpResponse<ApiOf<Auth>>, "session">>>;
	};
};
