import { apiKey } from "@better-auth/api-key";
import { passkey } from "@better-auth/passkey";
import { base32 } from "@better-auth/utils/base32";
import { createOTP } from "@better-auth/utils/otp";
import type { BetterAuthOptions } from "better-auth";
import { admin, emailOTP, magicLink, organization, phoneNumber, twoFactor, username } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { composedWorld } from "test-kit/composed-world";
import type { DatabaseKind } from "test-kit/databases";
import { ORIGIN, PASSWORD } from "test-kit/world";
import { type MoveOptions, moveUsersToTenant, PLATFORM, runWithTenant } from "../../../src/index.ts";

type MovableOptions = { database?: DatabaseKind; redis?: boolean; engine?: Partial<BetterAuthOptions> };

/** A world with two tenants, a platform and plugins with rows of users. */
export const createMovable = async (options: MovableOptions = {}) => {
	const sent = new Map<string, string>();
	const world = await composedWorld(
		[
			admin(),
			twoFactor(),
			username(),
			phoneNumber({ sendOTP: ({ phoneNumber, code }) => void sent.set(phoneNumber, code) }),
			emailOTP({ sendVerificationOTP: async ({ email, otp, type }) => void sent.set(`${type}:${email}`, otp) }),
			magicLink({ sendMagicLink: async ({ email, token }) => void sent.set(`magic:${email}`, token) }),
			passkey({ rpID: "localhost", origin: ORIGIN }),
			apiKey({ enableSessionForAPIKeys: true, rateLimit: { enabled: false } }),
			organization(),
		],
		options,
	);
	/** A tenant's id for the header; the platform has none. */
	const hint = (tenant: string): string | undefined => (tenant === PLATFORM ? undefined : tenant);
	const context = await world.auth.$context;
	const add = async (tenant: string, model: string, data: Record<string, unknown>) =>
		runWithTenant(tenant, () => context.adapter.create<Record<string, unknown>, { id: string }>({ model, data }));

	const signUp = async (tenant: string, name: string) => {
		const browser = await world.signUp(hint(tenant), `${name}@example.com`);
		const { user } = await world.whoami(browser);
		return { browser, id: user.id as string, name, email: `${name}@example.com` };
	};

	/** A user with a row in every table that moves. */
	const furnish = async (tenant: string, name: string) => {
		const user = await signUp(tenant, name);
		const { browser, id } = user;
		await world.ok("/update-user", { browser, body: { username: name, displayUsername: name } });
		const enabled = (await world.ok("/two-factor/enable", { browser, body: { password: PASSWORD } })).json;
		const secret = new TextDecoder().decode(base32.decode(new URL(enabled.totpURI).searchParams.get("secret") ?? ""));
		const code = () => createOTP(secret).totp();
		await world.ok("/two-factor/verify-totp", { browser, body: { code: await code() } });
		const key = (await world.ok("/api-key/create", { browser, body: { name: "build" } })).json;
		await add(tenant, "passkey", {
			userId: id,
			credentialID: `credential-${id}`,
			publicKey: "key",
			counter: 0,
			deviceType: "singleDevice",
			backedUp: false,
			createdAt: new Date(),
		});
		return { ...user, code, backupCodes: enabled.backupCodes as string[], key: key.key as string };
	};

	const signIn = (tenant: string, email: string, browser = new Browser(), password = PASSWORD) =>
		world.call("/sign-in/email", { tenant: hint(tenant), browser, body: { email, password } });

	const tables = Object.values(context.tables).map(({ modelName }) => modelName);
	/** Every row of the database, as text. */
	const everything = async (): Promise<string[]> => {
		const rows: string[] = [];
		for (const table of tables)
			for (const row of await world.database.query(`select * from "${table}"`))
				rows.push(`${table} ${JSON.stringify(row)}`);
		return rows.sort();
	};

	return {
		...world,
		sent,
		hint,
		add,
		signUp,
		furnish,
		signIn,
		everything,
		move: (options: MoveOptions) => moveUsersToTenant(world.auth, options),
		/** Every row without those that contain one of the texts. */
		everythingBut: async (...texts: string[]) =>
			(await everything()).filter((row) => !texts.some((text) => row.includes(text))),
		tenantsOfUser: async (userId: string): Promise<Record<string, string[]>> => {
			const found: Record<string, string[]> = {};
			for (const table of ["user", "account", "twoFactor", "passkey", "apikey", "session", "member"]) {
				if (!tables.includes(table)) continue;
				const column = table === "user" ? "id" : table === "apikey" ? "referenceId" : "userId";
				const rows = await world.database.query(`select "tenantId" from "${table}" where "${column}" = '${userId}'`);
				if (rows.length > 0) found[table] = [...new Set(rows.map(({ tenantId }) => String(tenantId)))];
			}
			return found;
		},
	};
};

export type Movable = Awaited<ReturnType<typeof createMovable>>;
