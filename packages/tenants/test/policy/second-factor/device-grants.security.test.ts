import { DEVICE_CODE_GRANT_TYPE, oauthDeviceAuthorization } from "@better-auth/oauth-provider";
import { scim } from "@better-auth/scim";
import { admin, twoFactor } from "better-auth/plugins";
import { describe, expect, it } from "vitest";
import { tenantAdmin, tenantRoles } from "../../../src/admin.ts";
import { tenantPolicy } from "../../../src/policy.ts";
import { form, withClients } from "../../compose/support/oauth-clients.ts";
import { enrollIn } from "./support.ts";

const SECRET = "0123456789abcdef0123456789abcdef";
const REFUSED = [400, "invalid_grant"];
const GRANTED = [200, undefined];

/** Two tenants whose users approve devices of OAuth clients. */
const createDevices = async ({ redis = false, withAdmin = true } = {}) => {
	const plugins = [
		...(withAdmin ? [admin({ ...tenantRoles }), tenantAdmin()] : []),
		twoFactor(),
		tenantPolicy(),
		oauthDeviceAuthorization({ verificationUri: "/device" }),
		scim({ connections: [], managedConnections: { credentialHashSecret: SECRET } }),
	];
	const engine = redis ? { session: { storeSessionInDatabase: true } } : {};
	const world = await withClients({
		database: redis ? "postgres" : "sqlite",
		...(redis ? { redis } : {}),
		engine,
		plugins,
		client: { grant_types: ["authorization_code", "refresh_token", DEVICE_CODE_GRANT_TYPE] },
		oauth: { refreshTokenReuseInterval: 60 },
	});
	const { ok, call } = world;
	type Party = typeof world.a;
	/** A device of the party's client that the user has approved. */
	const approve = async ({ client, browser, tenant }: Party): Promise<string> => {
		const { json } = await ok("/device/code", { ...form({ ...client, scope: "openid offline_access" }), tenant });
		await ok("/device", { browser, query: { user_code: json.user_code } });
		await ok("/device/approve", { browser, body: { userCode: json.user_code } });
		return json.device_code;
	};
	const redeem = async ({ client }: Party, device_code: string) => {
		const { status, json } = await call(
			"/oauth2/token",
			form({ ...client, grant_type: DEVICE_CODE_GRANT_TYPE, device_code }),
		);
		return { answer: [status, json.error], tokens: json as unknown as Record<string, string> };
	};
	const refresh = async ({ client }: Party, refresh_token = "") => {
		const { status, json } = await call(
			"/oauth2/token",
			form({ ...client, grant_type: "refresh_token", refresh_token }),
		);
		return { answer: [status, json.error], tokens: json as unknown as Record<string, string> };
	};
	const set = ({ tenant }: Party, policy: object) =>
		ok("/tenant/policy/update", { operator: true, body: { tenantId: tenant, policy, force: true } });
	const idOf = async ({ browser }: Party): Promise<string> => (await ok("/get-session", { browser })).json.user.id;
	return { ...world, approve, redeem, refresh, set, idOf };
};
type Devices = Awaited<ReturnType<typeof createDevices>>;

describe.each([
	["the database", {}],
	["Redis and the database", { redis: true }],
])("a device of an OAuth client that a user approved, with sessions in %s", (_, where) => {
	const ends: [string, (devices: Devices) => Promise<unknown>][] = [
		["the tenant excluded the method of the session", ({ a, set }) => set(a, { methods: ["passkey"] })],
		["the tenant requires a second factor", ({ a, set }) => set(a, { secondFactor: "required" })],
		["the user signed out", ({ a, ok }) => ok("/sign-out", { browser: a.browser, body: {} })],
	];

	// threat 139
	it.each(ends)("gets no tokens once %s", async (_name, end) => {
		const devices = await createDevices(where);
		const { a, b, approve, redeem } = devices;
		const [mine, theirs] = [await approve(a), await approve(b)];
		await end(devices);
		expect((await redeem(a, mine)).answer).toEqual(REFUSED);
		expect((await redeem(b, theirs)).answer).toEqual(GRANTED);
	});

	// threat 139
	it("gets tokens if the session has proven the second factor, and works once", async () => {
		const devices = await createDevices(where);
		const { a, set, approve, redeem } = devices;
		await enrollIn(devices, a.browser);
		await set(a, { secondFactor: "required" });
		const code = await approve(a);
		expect((await redeem(a, code)).answer).toEqual(GRANTED);
		expect((await redeem(a, code)).answer).toEqual(REFUSED);
	});

	// threat 139
	it("gets no tokens for a user whom a directory deactivated, without tenantAdmin()", async () => {
		const { a, b, approve, redeem, idOf, database } = await createDevices({ ...where, withAdmin: false });
		const [mine, theirs] = [await approve(a), await approve(b)];
		const now = database.kind === "postgres" ? "now()" : "'2026-01-01T00:00:00.000Z'";
		// a directory deleted the user, and has no source for them any more
		await database.query(
			`insert into "scimSubject" ("id", "tenantId", "userId", "revision", "createdAt", "updatedAt") values ('s', '${a.tenant}', '${await idOf(a)}', 1, ${now}, ${now})`,
		);
		expect((await redeem(a, mine)).answer).toEqual(REFUSED);
		expect((await redeem(b, theirs)).answer).toEqual(GRANTED);
	});

	// threat 139
	it("gets no response again that was sent before a ban", async () => {
		const { a, b, ok, approve, redeem, refresh, idOf } = await createDevices(where);
		const sides = [a, b];
		const used: (string | undefined)[] = [];
		for (const side of sides) {
			const { refresh_token } = (await redeem(side, await approve(side))).tokens;
			expect((await refresh(side, refresh_token)).answer).toEqual(GRANTED);
			expect((await refresh(side, refresh_token)).answer).toEqual(GRANTED);
			used.push(refresh_token);
		}
		await ok("/tenant/user/ban", { operator: true, body: { tenantId: a.tenant, userId: await idOf(a) } });
		const answers = await Promise.all(sides.map(async (side, at) => (await refresh(side, used[at])).answer));
		expect(answers).toEqual([REFUSED, GRANTED]);
	});
});
