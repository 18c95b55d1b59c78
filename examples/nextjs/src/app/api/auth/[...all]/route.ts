import { toNextJsHandler } from "better-auth/next-js";
import { createTenantHandler } from "better-auth-tenants";
import { auth } from "../../../../auth.ts";

export const { GET, POST } = toNextJsHandler(createTenantHandler(auth));
