import { randomBytes, randomInt } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { pick, show } from "test-kit/load/visitor";
import { freePort } from "test-kit/servers/free-port";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis, until } from "test-kit/servers/redis-server";
import { type Environment, runCommand, type Service, startService } from "test-kit/service/service";
import { SERVICE_MAIN } from "../service-main.ts";
import { type Address, send } from "./host-request.ts";
import { CUSTOM_DOMAIN, PLATFORM_HOST, TENANT_DOMAIN } from "./samples.ts";

export type Tenants = { acme: string; globex: string };
export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Two processes of the service that trust a proxy on 127.0.0.1 only, and limit callers by their address. */
export const startProcesses = async () => {
	const folder = await mkdtemp(join(tmpdir(), "proxied-"));
	const domains = join(folder, "domains.json");
	await writeFile(domains, "{}");
	const postgres = await startPostgres();
	const redis = await startRedis();
	const services: (Service & { metricsPort: number })[] = [];
	const close = async (): Promise<void> => {
		await Promise.all(services.map((service) => service.stop("SIGKILL")));
		await redis.close();
		await postgres.close();
		await rm(folder, { recursive: true, force: true });
	};
	const environment: Environment = {
		AUTH_URL: `https://${PLATFORM_HOST}`,
		AUTH_SECRET: randomBytes(32).toString("base64"),
		MANAGEMENT_KEYS: MANAGEMENT_KEY,
		DATABASE_URL: postgres.url,
		REDIS_URL: redis.url,
		REQUIRE_EMAIL_VERIFICATION: "false",
		TRUSTED_PROXIES: "127.0.0.1",
		TENANT_RESOLVER: "header,subdomain,custom-domain",
		TENANT_DOMAIN,
		TENANT_DOMAINS_FILE: domains,
		// longer than any of the samples takes to notice
		SHUTDOWN_DELAY: "5",
		LOG_LEVEL: "warn",
		NODE_ENV: "production",
	};
	try {
		await runCommand({ main: SERVICE_MAIN, environment }, "migrate");
		for (let count = 0; count < 2; count += 1) {
			const metricsPort = await freePort();
			const command = { main: SERVICE_MAIN, environment: { ...environment, METRICS_PORT: String(metricsPort) } };
			services.push({ ...(await startService(command)), metricsPort });
		}
	} catch (error) {
		await close();
		throw error;
	}
	return {
		services,
		/** Creates the tenants through a proxy, and waits until both hosts lead to theirs. */
		createTenants: async (proxy: Address): Promise<Tenants> => {
			const create = async (slug: string): Promise<string> => {
				const answer = await send(proxy, {
					...{ host: PLATFORM_HOST, path: "/api/auth/tenant/create", body: { name: slug, slug }, from: someAddress() },
					headers: { authorization: `Bearer ${MANAGEMENT_KEY}` },
				});
				const id = pick(answer.json, "id");
				if (typeof id !== "string") throw new Error(`no tenant: ${show(answer)}`);
				return id;
			};
			const tenants = { acme: await create("acme"), globex: await create("globex") };
			await writeFile(domains, JSON.stringify({ [CUSTOM_DOMAIN]: tenants.globex }));
			for (const host of [ACME_HOST, CUSTOM_DOMAIN])
				for (let inARow = 0; inARow < 4; )
					await until(async () => {
						const body = { email: `${someName()}@example.com`, password: "wrong password" };
						const path = "/api/auth/tenant/sign-in/email";
						const { status } = await send(proxy, { host, path, body, from: someAddress() });
						inARow = status === 401 ? inARow + 1 : 0;
						return inARow > 0;
					});
			return tenants;
		},
		close,
	};
};

export const ACME_HOST = `acme.${TENANT_DOMAIN}`;

/** An address of this machine that nobody has used yet. Limits count it separately. */
export const someAddress = (): string => `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`;

export const someName = (): string => randomBytes(8).toString("hex");
