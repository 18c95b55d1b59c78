import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import { type CallOptions, PASSWORD } from "test-kit/world";
import { type TenantPolicyOptions, tenantPolicy } from "../../../src/policy.ts";

type Given = {
	policy?: TenantPolicyOptions;
	plugins?: BetterAuthPlugin[];
	engine?: Partial<BetterAuthOptions>;
	database?: "sqlite" | "postgres";
	redis?: boolean;
};

/** Two tenants with `tenantPolicy()`. `acme` is the one whose policy tests change, `globex` must not notice. */
export const policyWorld = async ({ policy = {}, plugins = [], ...given }: Given = {}) => {
	const world = await composedWorld([...plugins, tenantPolicy(policy)], given);
	const update = (tenantId: string, rules: unknown, more: CallOptions & { force?: boolean } = {}) => {
		const { force, ...call } = more;
		return world.call("/tenant/policy/update", {
			operator: true,
			body: { tenantId, policy: rules, ...(force === undefined ? {} : { force }) },
			...call,
		});
	};
	/** Changes the policy and expects success. */
	const set = async (tenantId: string, rules: unknown): Promise<void> => {
		const answer = await update(tenantId, rules);
		if (answer.status !== 200) throw new Error(`no policy: ${answer.text}`);
	};
	const signIn = async (
		tenant: string,
		email: string,
		{ password = PASSWORD, ...call }: CallOptions & { password?: string } = {},
	) => {
		const browser = new Browser();
		const answer = await world.call("/sign-in/email", { tenant, browser, body: { email, password }, ...call });
		return { ...answer, browser };
	};
	const isSignedIn = async (browser: Browser, call: CallOptions = {}): Promise<boolean> =>
		Boolean((await world.call("/get-session", { browser, ...call })).json?.session);
	const sessionsOf = async (tenantId: string) =>
		world.database.query(`select * from "session" where "tenantId" = '${tenantId}'`);
	return { ...world, update, set, signIn, isSignedIn, sessionsOf };
};
