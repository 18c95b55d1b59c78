import { randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { reencryptSecrets, tenantAuth } from "better-auth-tenants";
import { PROVIDER_SETTINGS, type ProviderSettings } from "better-auth-tenants/src/features/oauth/provider-settings.ts";
import { Client, Pool } from "pg";
import { Browser } from "test-kit/browser";
import { canarySecret } from "test-kit/canary";
import { dropDatabase } from "test-kit/databases/drop-postgres";
import { POSTGRES_URL } from "test-kit/databases/postgres-template";
import { startIdentityProvider } from "test-kit/identity-provider";
import { visit } from "test-kit/visit";
import { expect, it, onTestFinished } from "vitest";

const ORIGIN = "http://localhost:3000";
/** Enough for two batches. The figure in the docs is from `REENCRYPT_CONFIGS=10000 pnpm e2e reencrypt`, which runs every night. */
const CONFIGS = Number(process.env.REENCRYPT_CONFIGS ?? 1_000);
const OLD = randomBytes(32).toString("base64url");
const NEW = randomBytes(32).toString("base64url");

/** Providers that need only an id and a secret. */
const PLAIN = Object.entries<ProviderSettings>(PROVIDER_SETTINGS)
	.filter(([id, { settings }]) => id !== "gitlab" && !Object.values(settings).some(({ required }) => required))
	.map(([id]) => id);

// threat 58
it(`${CONFIGS} configs are encrypted again under load without a failed sign-in`, { timeout: 600_000 }, async () => {
	const name = `tenants_e2e_${randomBytes(6).toString("hex")}`;
	const admin = new Client({ connectionString: POSTGRES_URL });
	await admin.connect();
	await admin.query(`create database ${name}`);
	const address = new URL(POSTGRES_URL);
	address.pathname = `/${name}`;
	const pool = new Pool({ connectionString: address.toString(), max: 10 });
	const idp = await startIdentityProvider();
	onTestFinished(async () => {
		await idp.close();
		await pool.end();
		await dropDatabase(admin, name);
		await admin.end();
	});
	const create = (secrets: object) => {
		const plugin = tenantAuth({ oauth: { allowPrivateHosts: true } });
		return betterAuth({
			database: pool,
			baseURL: ORIGIN,
			...secrets,
			rateLimit: { enabled: false },
			logger: { disabled: true },
			plugins: [plugin],
		});
	};
	const before = create({ secret: OLD });
	await (await getMigrations(before.options)).runMigrations();

	// one tenant whose users sign in continuously, and as many others as needed
	const busy = await before.api.createTenant({ body: { name: "Busy", slug: "busy" } });
	const client = { clientId: "busy", clientSecret: canarySecret("busy") };
	idp.addClient({ ...client, redirectURIs: [`${ORIGIN}/api/auth/tenant/callback/gitlab/${busy.id}`] });
	await before.api.registerTenantOauthConfig({
		body: { tenantId: busy.id, providerId: "gitlab", ...client, options: idp.gitlab },
	});
	let made = 1;
	for (let n = 0; made < CONFIGS; n += 1) {
		const { id } = await before.api.createTenant({ body: { name: `T${n}`, slug: `tenant-${n}` } });
		const providers = PLAIN.slice(0, CONFIGS - made);
		await Promise.all(
			providers.map((providerId) =>
				before.api.registerTenantOauthConfig({
					body: { tenantId: id, providerId, clientId: `c-${n}`, clientSecret: canarySecret(`c-${n}`) },
				}),
			),
		);
		made += providers.length;
	}

	const rotated = create({ secret: OLD, secrets: [{ version: 2, value: NEW }] });
	const signIn = async (n: number): Promise<string | null> => {
		const browser = new Browser();
		const send = visit(rotated, browser, ORIGIN);
		const started = await send(`${ORIGIN}/api/auth/tenant/sign-in/social`, {
			tenantId: busy.id,
			provider: "gitlab",
			callbackURL: "/home",
		});
		const { url } = (await started.json()) as { url: string };
		return (await send(await idp.authorize(url, { sub: `p-${n % 20}`, email: `p${n % 20}@example.com` }))).headers.get(
			"location",
		);
	};

	let done = false;
	const ends: (string | null)[] = [];
	const load = async (worker: number) => {
		for (let n = worker; !done; n += 4) ends.push(await signIn(n));
	};
	const workers = Array.from({ length: 4 }, (_, worker) => load(worker));
	const began = performance.now();
	const progress: number[] = [];
	const result = await reencryptSecrets(rotated, { batchSize: 500, onProgress: ({ seen }) => progress.push(seen) });
	const seconds = (performance.now() - began) / 1000;
	done = true;
	await Promise.all(workers);

	expect(result).toMatchObject({ seen: CONFIGS, reencrypted: CONFIGS, unreadable: [] });
	expect(progress.length).toBeGreaterThanOrEqual(CONFIGS / 500);
	expect(ends.length).toBeGreaterThan(20);
	expect(ends.filter((location) => location !== "/home")).toEqual([]);
	const { rows } = await pool.query(
		`select count(*)::int as n from "tenantOauthConfig" where "clientSecret" not like '$ba$2$%' or "clientId" not like '$ba$2$%'`,
	);
	expect(rows[0]?.n).toBe(0);
	// everything can be decrypted without the old secret
	const alone = create({ secrets: [{ version: 2, value: NEW }] });
	expect((await alone.api.listTenantOauthConfigs({ query: { tenantId: busy.id } }))[0]?.clientId).toBe("busy");

	if (process.env.REENCRYPT_CONFIGS)
		writeFigures(
			`${CONFIGS.toLocaleString("en")} configs in ${seconds.toFixed(1)} s on PostgreSQL, while ${ends.length} people signed in: ${ends.length} of ${ends.length} sign-ins ended well.`,
		);
});

/** The figure in the docs is from the last full run. */
const writeFigures = (figure: string): void => {
	const file = new URL("../../docs/rotation.md", import.meta.url);
	const text = readFileSync(file, "utf8");
	writeFileSync(file, text.replace(/(<!-- figure:reencrypt -->\n)[^\n]*/, `$1${figure}`));
};
