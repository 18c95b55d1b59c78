import {
	type TENANT_CLAIM,
	type TenantTokenOptions,
	type TenantTokenPayload,
	verifyTenantRequest,
	verifyTenantToken,
} from "better-auth-tenants/tokens";
import { same } from "./same.ts";

const options: TenantTokenOptions = {
	tenantId: "acme-id",
	jwksUrl: "https://auth.example.com/api/auth/jwks",
	verifyOptions: { issuer: "https://auth.example.com", audience: "https://api.example.com" },
};
// @ts-expect-error a token is verified for one tenant
export const missing: TenantTokenOptions = { verifyOptions: { issuer: "i", audience: "a" } };

export const verify = async (token: string, request: Request): Promise<TenantTokenPayload> => {
	const payload = await verifyTenantToken(token, options);
	same<(typeof payload)[typeof TENANT_CLAIM], string>(true);
	return verifyTenantRequest(request, options);
};
