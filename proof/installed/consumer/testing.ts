import { betterAuth } from "better-auth";
import { PLATFORM, tenantAuth } from "better-auth-tenants";
import { assertTenantIsolation, findTenantLeaks, type TenantIsolationOptions } from "better-auth-tenants/testing";
import { same } from "./same.ts";

const options: TenantIsolationOptions = {
	signUp: async ({ tenantId, email }) => ({ userId: `${tenantId}-${email}`, cookie: `at=${PLATFORM}` }),
};
// @ts-expect-error a signed-up user has an id
export const wrong: TenantIsolationOptions = { signUp: async () => ({ cookie: "a=b" }) };

export const test = async () => {
	const auth = betterAuth({ plugins: [tenantAuth()] });
	const { reached } = await assertTenantIsolation(auth, options);
	same<typeof reached, string[]>(true);
	const { leaks } = await findTenantLeaks(auth);
	// @ts-expect-error a leak is no text
	return leaks[0]?.toUpperCase();
};
