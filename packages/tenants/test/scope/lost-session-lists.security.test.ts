import { redisStorage } from "@better-auth/redis-storage";
import { admin } from "better-auth/plugins/admin";
import { emailOTP } from "better-auth/plugins/email-otp";
import { magicLink } from "better-auth/plugins/magic-link";
import { phoneNumber } from "better-auth/plugins/phone-number";
import { withTenants } from "better-auth-tenants";
import { Redis } from "ioredis";
import { Browser } from "test-kit/browser";
import { type CallOptions, createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";
import { describe, expect, it, onTestFinished } from "vitest";

const REDIS_URL = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const ADA = "ada@example.com";
const PHONE = "+15550100";
const NEW_PASSWORD = `${PASSWORD} 2`;

/**
 * Two tenants with a user of the same email, whose sessions are in the database and in Redis. Redis can lose the list of a
 * user's sessions and keep the sessions, as it does when it evicts keys.
 */
const createEvicting = async () => {
	const client = new Redis(REDIS_URL);
	const keyPrefix = `tenants-evicted-${crypto.randomUUID()}:`;
	const storage = redisStorage({ client, keyPrefix });
	onTestFinished(async () => {
		await storage.clear();
		client.disconnect();
	});
	const sent: string[] = [];
	const send = async (text: string): Promise<void> => void sent.push(text);
	const { call, newTenant, signUp, database } = await createWorld({
		engine: {
			secondaryStorage: storage,
			session: { storeSessionInDatabase: true },
			verification: { storeInDatabase: true },
			emailAndPassword: { enabled: true, revokeSessionsOnPasswordReset: true },
		},
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
			admin(),
			emailOTP({ sendVerificationOTP: ({ otp }) => send(otp) }),
			magicLink({ sendMagicLink: ({ url }) => send(url) }),
			phoneNumber({ sendOTP: ({ code }) => send(code), sendPasswordResetOTP: ({ code }) => send(code) }),
		]),
	});
	const ok = async (path: string, options: CallOptions): Promise<void> =>
		expect([path, (await call(path, options)).status < 400]).toEqual([path, true]);
	const [a, b] = [await newTenant(), await newTenant()];
	const ada = await signUp(a, ADA);
	const neighbor = await signUp(b, ADA);
	await signUp(a, "boss@example.com");
	await database.query(`update "user" set "role" = 'admin' where "email" = 'boss@example.com'`);
	const boss = new Browser();
	await ok("/sign-in/email", { tenant: a, browser: boss, body: { email: "boss@example.com", password: PASSWORD } });
	const userOf = async (browser: Browser) =>
		(await call("/get-session", { browser: browser.copy() })).json?.user ?? null;
	const keys = (part: string): Promise<string[]> => client.keys(`${keyPrefix}*${part}*`);
	return {
		a,
		ada,
		neighbor,
		boss,
		ok,
		userOf,
		userId: (await userOf(ada)).id,
		lastSent: (): string => sent.at(-1) ?? "",
		loseLists: async (): Promise<void> => void (await client.del(await keys("active-sessions-"))),
		/** The keys of sessions end in the tag of their tenant. */
		countCopies: async (): Promise<number> => (await keys("~")).length,
	};
};

type Evicting = Awaited<ReturnType<typeof createEvicting>>;
/** What happens before the lists are lost, and what must end the sessions afterwards. */
type Flow = { before?: (world: Evicting) => Promise<void>; end: (world: Evicting) => Promise<void> };

const FLOWS: Record<string, Flow> = {
	"an admin bans the user by an update": {
		end: ({ ok, boss, userId }) =>
			ok("/admin/update-user", { browser: boss, body: { userId, data: { banned: true } } }),
	},
	"the user resets the password with a mailed code": {
		before: ({ ok, a }) => ok("/email-otp/request-password-reset", { tenant: a, body: { email: ADA } }),
		end: ({ ok, a, lastSent }) =>
			ok("/email-otp/reset-password", { tenant: a, body: { email: ADA, otp: lastSent(), password: NEW_PASSWORD } }),
	},
	"the user resets the password by phone": {
		before: async ({ ok, a, ada, lastSent }) => {
			await ok("/phone-number/send-otp", { tenant: a, body: { phoneNumber: PHONE } });
			const body = { phoneNumber: PHONE, code: lastSent(), updatePhoneNumber: true };
			await ok("/phone-number/verify", { browser: ada, body });
			await ok("/phone-number/request-password-reset", { tenant: a, body: { phoneNumber: PHONE } });
		},
		end: ({ ok, a, lastSent }) => {
			const body = { phoneNumber: PHONE, otp: lastSent(), newPassword: NEW_PASSWORD };
			return ok("/phone-number/reset-password", { tenant: a, body });
		},
	},
	"the owner of the address signs in by a mailed link, and somebody else had signed up with it": {
		before: ({ ok, a }) => ok("/sign-in/magic-link", { tenant: a, body: { email: ADA } }),
		end: ({ ok, lastSent }) => ok(lastSent(), { browser: new Browser() }),
	},
	"the owner of the address signs in by a mailed code, and somebody else had signed up with it": {
		before: ({ ok, a }) => ok("/email-otp/send-verification-otp", { tenant: a, body: { email: ADA, type: "sign-in" } }),
		end: ({ ok, a, lastSent }) => ok("/sign-in/email-otp", { tenant: a, body: { email: ADA, otp: lastSent() } }),
	},
};

describe("a session whose list the storage has lost", () => {
	// threat 96
	it.each(Object.keys(FLOWS))("ends when %s", async (name) => {
		const world = await createEvicting();
		await FLOWS[name]?.before?.(world);
		await world.loseLists();
		await FLOWS[name]?.end(world);
		expect(await world.userOf(world.ada)).toBeNull();
		expect(await world.userOf(world.neighbor)).toMatchObject({ email: ADA });
	});

	// threat 96
	it("loses a role that is taken away", async () => {
		const { ok, boss, userId, ada, neighbor, userOf, loseLists, countCopies } = await createEvicting();
		await ok("/admin/set-role", { browser: boss, body: { userId, role: "admin" } });
		expect((await userOf(ada)).role).toBe("admin");
		const copies = await countCopies();
		await loseLists();
		await ok("/admin/set-role", { browser: boss, body: { userId, role: "user" } });
		expect((await userOf(ada)).role).toBe("user");
		expect((await userOf(neighbor)).role).toBe("user");
		// changed in the storage, not dropped from it
		expect(await countCopies()).toBe(copies);
	});
});
