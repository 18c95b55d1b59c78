import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { apiKey } from "@better-auth/api-key";
import { type BetterAuthOptions, type BetterAuthPlugin, betterAuth } from "better-auth";
import {
	admin,
	bearer,
	deviceAuthorization,
	oneTimeToken,
	phoneNumber,
	twoFactor,
	username,
} from "better-auth/plugins";
import { cheapHash } from "test-kit/cheap-hash";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { served } from "test-kit/served";
import type { Scheduler } from "./scheduler.ts";

export const ORIGIN = "http://localhost:3000";

/** The codes and tokens that were sent, by their recipient. */
export type Outbox = Map<string, string>;

type Given = {
	source: string;
	hasStoredKeys: boolean;
	outbox: Outbox;
	scheduler: Scheduler;
	engine: Partial<BetterAuthOptions>;
};

const load = async (source: string) => {
	const from = (file: string) => import(pathToFileURL(join(source, file)).href);
	return {
		index: (await from("index.ts")) as typeof import("better-auth-tenants"),
		admin: (await from("admin.ts")) as typeof import("better-auth-tenants/admin"),
		policy: (await from("policy.ts")) as typeof import("better-auth-tenants/policy"),
		lifecycle: (await from("lifecycle.ts")) as typeof import("better-auth-tenants/lifecycle"),
	};
};

/** Options of an application whose users have many ways in. Requests can stop before hashes and mails, too. */
export const buildOptions = async ({ source, hasStoredKeys, outbox, scheduler, engine }: Given) => {
	const { pass } = scheduler;
	const { index, admin: administration, policy, lifecycle } = await load(source);
	const send = async (to: string, secret: string): Promise<void> => {
		await pass();
		outbox.set(to, secret);
	};
	const plugins: BetterAuthPlugin[] = [
		admin({ ...administration.tenantRoles }),
		twoFactor({ skipVerificationOnEnable: false }),
		bearer(),
		apiKey({
			enableSessionForAPIKeys: true,
			rateLimit: { enabled: false },
			...(hasStoredKeys ? { storage: "secondary-storage" } : {}),
		}),
		phoneNumber({ sendOTP: ({ phoneNumber: to, code }) => send(to, code) }),
		username(),
		oneTimeToken(),
		deviceAuthorization({ verificationUri: "/device", interval: "0s" }),
		policy.tenantPolicy(),
		lifecycle.tenantLifecycle(),
		administration.tenantInvitations({
			acceptURL: "https://app.example.com/invitation",
			sendInvitation: ({ email, token }) => send(`invitation ${email}`, token),
		}),
		administration.tenantAdmin(),
	];
	const options: BetterAuthOptions = {
		baseURL: ORIGIN,
		secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
		rateLimit: { enabled: false },
		telemetry: { enabled: false },
		logger: { disabled: true },
		...engine,
		emailAndPassword: {
			enabled: true,
			password: {
				hash: async (password) => {
					await pass();
					return cheapHash.hash(password);
				},
				verify: async (given) => {
					await pass();
					return cheapHash.verify(given);
				},
			},
		},
		plugins: index.withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: 60 },
				deletion: { drainTime: 0 },
				// requests that stop at a hash keep their turn
				hashing: { concurrency: 100 },
			},
			plugins,
		),
	};
	return { options, start: (more: Partial<BetterAuthOptions>) => start({ ...options, ...more }, index) };
};

const start = async (options: BetterAuthOptions, index: typeof import("better-auth-tenants")) => {
	const auth = served(betterAuth(options), index.createTenantHandler);
	const context = await auth.$context;
	return { handler: auth.handler, context, runWithTenant: index.runWithTenant };
};
