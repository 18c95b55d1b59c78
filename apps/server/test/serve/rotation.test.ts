import { reencryptSecrets } from "better-auth-tenants";
import { afterEach, expect, it } from "vitest";
import { createAuth } from "../../src/auth/create-auth.ts";
import { type Config, readConfig } from "../../src/config/config.ts";
import { createPool } from "../../src/database/pool.ts";
import { testEnvironment } from "../support/environment.ts";
import { keepLog } from "../support/log.ts";
import { createWorld, type World } from "../support/world.ts";

const OLD = "Qx7Lm2Vd9Tn4Rb8Wy1Kc5Hs3Mf6Jg0PzA";
const NEW = "Hw3Zk8Pq1Xr6Tb9Yn4Mv7Lc2Sd5Jf0GaB";
/** The configuration before, between and after the steps of docs/rotation.md. */
const STEPS: Record<string, string>[] = [
	{ AUTH_SECRET: OLD },
	{ AUTH_SECRET: "", AUTH_SECRETS: `1:${OLD},2:${NEW}` },
	{ AUTH_SECRET: "", AUTH_SECRETS: `2:${NEW},1:${OLD}` },
	{ AUTH_SECRET: "", AUTH_SECRETS: `2:${NEW}` },
];

let world: World | undefined;
afterEach(async () => world?.close());

type Server = Awaited<ReturnType<World["start"]>>;
type User = { email: string; cookies: Map<string, string> };

const keep = ({ cookies }: User, response: Response): void => {
	for (const line of response.headers.getSetCookie()) {
		const [pair = ""] = line.split(";", 1);
		const at = pair.indexOf("=");
		if (/max-age=0/i.test(line)) cookies.delete(pair.slice(0, at));
		else cookies.set(pair.slice(0, at), pair.slice(at + 1));
	}
};

/** Whether a server knows who it is, as a browser that keeps its cookies sees it. */
const isSignedIn = async (server: Server, user: User): Promise<boolean> => {
	const cookie = [...user.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
	const response = await server.call("/api/auth/get-session", { headers: { cookie } });
	keep(user, response);
	const seen = (await response.json()) as { user: { email: string } } | null;
	return seen?.user.email === user.email;
};

it.each(["0", "60"])(
	"signs nobody out while servers are restarted one by one, with COOKIE_CACHE_MAX_AGE=%s",
	async (COOKIE_CACHE_MAX_AGE) => {
		const running = await createWorld({ environment: { ...STEPS[0], COOKIE_CACHE_MAX_AGE } });
		world = running;
		const configOf = (step: number): Config =>
			readConfig(testEnvironment(running.database.url, { COOKIE_CACHE_MAX_AGE, ...STEPS[step] }));
		const startAt = (step: number) => running.start({ secrets: configOf(step).secrets });
		const users: User[] = [];
		let asked = 0;
		const signedOut: string[] = [];

		let server = await startAt(0);
		const [acme, globex] = [await server.createTenant("acme"), await server.createTenant("globex")];
		await server.post(
			"/tenant/oauth-config/register",
			{ tenantId: acme, providerId: "google", clientId: "acme-client", clientSecret: "canary" },
			{ authorization: `Bearer ${running.config.management.keys[0]}` },
		);
		const signUp = async (at: Server, tenantId: string, name: string): Promise<void> => {
			const user = { email: `${name}@example.com`.toLowerCase(), cookies: new Map<string, string>() };
			keep(user, await at.signUp(tenantId, user.email));
			users.push(user);
		};
		for (const tenantId of [acme, globex]) await signUp(server, tenantId, `before-${tenantId}`);

		for (let step = 1; step < STEPS.length; step += 1) {
			const next = await startAt(step);
			const pair = [server, next];
			for (const [at, side] of pair.entries())
				for (const tenantId of [acme, globex]) await signUp(side, tenantId, `step${step}-${at}-${tenantId}`);
			for (let round = 0; round < 6; round += 1) {
				for (const user of users) {
					asked += 1;
					const side = pair[round % 2] ?? next;
					if (!(await isSignedIn(side, user))) signedOut.push(`${user.email} in step ${step}, round ${round}`);
				}
			}
			for (const side of pair) {
				const started = await side.post("/tenant/sign-in/social", { tenantId: acme, provider: "google" });
				expect(new URL(((await started.json()) as { url: string }).url).searchParams.get("client_id")).toBe(
					"acme-client",
				);
			}
			// when all servers have the new secret first
			if (step === 2) await reencryptOn(configOf(step));
			server = next;
		}
		expect(signedOut).toEqual([]);
		expect(asked).toBe(6 * (6 + 10 + 14));
	},
);

const reencryptOn = async (config: Config): Promise<void> => {
	const { logger } = keepLog("silent");
	const pool = createPool(config.database, logger);
	const auth = createAuth({ config, pool, cache: null, mailer: null, logger });
	expect(await reencryptSecrets(auth)).toMatchObject({ reencrypted: 1, unreadable: [] });
	await pool.end();
};
