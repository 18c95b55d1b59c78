import { type BetterAuthOptions, betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { PASSWORD } from "test-kit/world";
import { expect } from "vitest";
import { engineOptions, grownPlugins } from "./composed.ts";
import { type ComposedAuth, callOn } from "./two-tenants.ts";

const EVA = { name: "Eva", email: "eva@example.com", password: PASSWORD, username: "eva" };
const PHONE = "+4312345678";

type Engine = Pick<ComposedAuth, "handler">;
type GrownApplication = {
	/** Asserts that all existing rows are on the platform, unchanged. */
	expectUnchanged: (auth: ComposedAuth) => Promise<void>;
	/** Signs in as before, through the given instance. */
	signIn: (auth: Engine) => Promise<void>;
};

export const bareOptions = (database: BetterAuthOptions["database"]) => ({
	...engineOptions(database),
	plugins: [...grownPlugins()],
});

/** An application without tenants, with rows in every table. */
export const growApplication = async (database: BetterAuthOptions["database"]): Promise<GrownApplication> => {
	const auth = betterAuth(bareOptions(database));
	const call = callOn(auth);
	const browser = new Browser();
	const { json } = await call("/sign-up/email", { browser, body: EVA });
	const user = json.user as { id: string };
	await call("/sign-up/email", { body: { ...EVA, email: "no-name@example.com", username: undefined } });
	const context = await auth.$context;
	await context.internalAdapter.updateUser(user.id, { phoneNumber: PHONE, phoneNumberVerified: true });
	const { json: organization } = await call("/organization/create", {
		browser,
		body: { name: "Board", slug: "board" },
	});
	const team = await call("/organization/create-team", {
		browser,
		body: { name: "Chairs", organizationId: organization.id },
	});
	expect(team.status).toBe(200);
	const joined = await auth.api.addTeamMember({
		headers: new Headers({ cookie: browser.header() }),
		body: { teamId: String(team.json.id), userId: user.id },
	});
	expect(joined).toMatchObject({ userId: user.id });
	const { json: key } = await call("/api-key/create", { browser, body: { name: "ci" } });
	const passkey = { publicKey: "key", credentialID: "credential", counter: 0, deviceType: "single", backedUp: false };
	await context.adapter.create({ model: "passkey", data: { ...passkey, userId: user.id, createdAt: new Date() } });
	const before = await countRows(auth);
	expect(Object.values(before).filter((count) => count > 0).length).toBeGreaterThanOrEqual(8);

	const signIn = async (engine: Engine): Promise<void> => {
		for (const [path, body] of [
			["/sign-in/email", { email: EVA.email, password: PASSWORD }],
			["/sign-in/username", { username: EVA.username, password: PASSWORD }],
			["/sign-in/phone-number", { phoneNumber: PHONE, password: PASSWORD }],
		] as const) {
			const answer = await callOn(engine)(path, { body });
			expect([path, answer.status, (answer.json.user as { id: string } | undefined)?.id]).toEqual([path, 200, user.id]);
		}
	};

	return {
		signIn,
		expectUnchanged: async (composed) => {
			const { user: _users, session: _sessions, account: _accounts, ...others } = before;
			expect(await countRows(composed)).toMatchObject(others);
			const ask = callOn(composed);
			// the cookie from before the migration
			expect((await ask("/get-session", { browser })).json).toMatchObject({
				user: { id: user.id, tenantId: "platform" },
			});
			await signIn(composed);
			expect((await ask("/organization/list", { browser })).json).toMatchObject([{ id: organization.id }]);
			expect((await ask("/passkey/list-user-passkeys", { browser })).json).toHaveLength(1);
			expect(await composed.api.verifyApiKey({ body: { key: String(key.key) } })).toMatchObject({ valid: true });
			// taken names stay taken on the platform
			for (const body of [
				{ ...EVA, username: "other" },
				{ ...EVA, email: "other@example.com" },
			])
				expect((await ask("/sign-up/email", { body })).status).toBeGreaterThanOrEqual(400);
		},
	};
};

const TABLES = ["user", "session", "account", "organization", "member", "team", "teamMember", "passkey", "apikey"];

type Counting = { adapter: { count: (query: { model: string }) => Promise<number> } };

/** Outside a request, the composed adapter sees the platform's rows. */
const countRows = async (auth: { $context: Promise<Counting> }): Promise<Record<string, number>> => {
	const { adapter } = await auth.$context;
	const counts: Record<string, number> = {};
	for (const model of TABLES) counts[model] = await adapter.count({ model });
	return counts;
};
