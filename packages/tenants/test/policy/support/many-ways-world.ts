import { scim } from "@better-auth/scim";
import { anonymous, bearer, deviceAuthorization, oneTap, twoFactor } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import type { Answer, CallOptions } from "test-kit/world";
import { tenantLifecycle } from "../../../src/lifecycle.ts";
import { tenantPolicy } from "../../../src/policy.ts";
import { withClients } from "../../compose/support/oauth-clients.ts";
import { useGoogle } from "./google.ts";

const SCIM_USER = "urn:ietf:params:scim:schemas:core:2.0:User";

export const [INSIDE, OUTSIDE] = ["203.0.113.7", "198.51.100.7"];

type Linked = { from: unknown; to: unknown };
type Connect = (input: object) => Promise<{ token: string }>;

/** Two tenants with policies, and every way to a session that is not a form. All users are inside of their network. */
export const manyWaysWorld = async (where: { database?: "sqlite" | "postgres" } = {}) => {
	const idTokenOf = await useGoogle();
	const linked: Linked[] = [];
	const world = await withClients({
		...where,
		engine: {
			socialProviders: { google: { clientId: "google-client", clientSecret: "google-secret" } },
			advanced: { disableOriginCheck: false, ipAddress: { ipAddressHeaders: ["x-real-ip"] } },
		},
		plugins: [
			bearer(),
			anonymous({
				onLinkAccount: async ({ anonymousUser, newUser }) =>
					void linked.push({ from: anonymousUser.user.tenantId, to: newUser.user.tenantId }),
			}),
			deviceAuthorization({ verificationUri: "/device" }),
			oneTap(),
			scim({ connections: [], managedConnections: { credentialHashSecret: "s".repeat(40) } }),
			twoFactor(),
			tenantLifecycle(),
			tenantPolicy(),
		],
	});
	const { ok, call } = world;
	const from = (ip: string): CallOptions => ({ headers: { "x-real-ip": ip } });
	const set = (tenantId: string, policy: object): Promise<Answer> =>
		ok("/tenant/policy/update", { operator: true, body: { tenantId, policy, force: true } });

	/** A device code that a signed-in user has approved. */
	const approved = async (tenant: string, browser: Browser): Promise<object> => {
		const code = (await ok("/device/code", { tenant, ...from(INSIDE), body: { client_id: "cli" } })).json;
		await ok("/device", { browser, ...from(INSIDE), query: { user_code: code.user_code } });
		await ok("/device/approve", { browser, ...from(INSIDE), body: { userCode: code.user_code } });
		const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
		return { grant_type, client_id: "cli", device_code: code.device_code };
	};
	/** What is ready to be turned into a session, and how. */
	const prepare = async (tenant: string, browser: Browser) => {
		const idToken = await idTokenOf("ada@corp.example");
		const device = await approved(tenant, browser);
		const send = (path: string, body: object) => (ip: string) => {
			const visitor = new Browser();
			return call(path, { tenant, browser: visitor, body, ...from(ip) }).then((answer) => ({ ...answer, visitor }));
		};
		return {
			"ID token": send("/sign-in/social", { provider: "google", idToken: { token: idToken } }),
			"One Tap": send("/one-tap/callback", { idToken }),
			anonymous: send("/sign-in/anonymous", {}),
			device: send("/device/token", device),
		};
	};
	/** A user whom the tenant's directory created. */
	const provision = async (tenant: string, userName: string): Promise<Answer> => {
		const { createSCIMManagedConnection } = world.auth.api as object as Record<string, Connect>;
		const body = {
			creationRequestId: `connection of ${userName}`,
			provisioningDomainId: "people",
			actorId: "operator",
			scopes: ["scim.users.read", "scim.users.write"],
			expiresAt: new Date(Date.now() + 86_400_000),
		};
		const made = await createSCIMManagedConnection?.({
			body,
			headers: new Headers({ "x-tenant-id": tenant, "x-real-ip": INSIDE }),
		});
		const emails = [{ value: userName, primary: true, type: "work" }];
		return call("/scim/v2/Users", {
			headers: { authorization: `Bearer ${made?.token}`, "x-real-ip": OUTSIDE },
			body: { schemas: [SCIM_USER], userName, externalId: userName, emails },
		});
	};
	const sessions = (tenantId: string) =>
		world.database.query(`select "id", "token", "signInMethod" from "session" where "tenantId" = '${tenantId}'`);
	return { ...world, linked, from, set, prepare, provision, sessions, idTokenOf };
};
