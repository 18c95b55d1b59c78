import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { Redis } from "ioredis";
import { startIdentityProvider } from "test-kit/identity-provider";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import type { Outcome } from "test-kit/results/outcome";
import { freePort } from "test-kit/servers/free-port";
import { startPgBouncer } from "test-kit/servers/pgbouncer";
import { startPostgres } from "test-kit/servers/postgres-server";
import { startRedis } from "test-kit/servers/redis-server";
import { linkIn, startSmtp } from "test-kit/servers/smtp";
import { type Environment, type Service, startService } from "test-kit/service/service";
import { type Stack, startStack } from "test-kit/service/stack";
import type { Variant } from "./check.ts";
import { placeAt } from "./place.ts";
import { runChecks } from "./runner.ts";
import { callbackOf, PLAYED } from "./social.ts";
import { foreignTarget } from "./target.ts";

const SERVICE_MAIN = fileURLToPath(import.meta.resolve("server/dist/main.js"));

type ConformanceResult = {
	statements: number;
	passed: number;
	failed: string[];
	/** where the package deviates from a statement on purpose, each with its reason */
	deviates: string[];
	/** what this deployment cannot show, each with its reason */
	notObservable: string[];
};

/** The environment of each variant. Management by role and function cannot be set by environment. */
const VARIANTS: Partial<Record<Variant, Environment>> = {
	resolver: { TENANT_RESOLVER: "header", TENANT_RESOLVER_HEADER: "x-conformance-resolve" },
	header: { TENANT_HEADER: "x-account" },
	withoutGlobal: { SOCIAL_GITLAB_CLIENT_ID: "", SOCIAL_GITLAB_CLIENT_SECRET: "", SOCIAL_GITLAB_ISSUER: "" },
	verification: { REQUIRE_EMAIL_VERIFICATION: "true" },
	bare: { MANAGEMENT_KEYS: "" },
	basePath: { BASE_PATH: "/identity" },
	publicHosts: { ALLOW_PRIVATE_HOSTS: "false" },
	drainTime: { DELETION_DRAIN_TIME: "1" },
	// on in every process, because all share the tables; without rules, roles and suspensions they change nothing
	policy: {},
	lifecycle: {},
	admin: {},
	secondFactor: {},
};

/**
 * Runs the conformance suite against the service: two processes behind a load balancer, one of them behind PgBouncer.
 */
export const runConformance = async ({ log }: { log: (line: string) => void }): Promise<Outcome<ConformanceResult>> => {
	const endings: (() => Promise<unknown>)[] = [];
	const started = <Part>(part: Part, end: (part: Part) => Promise<unknown>): Part => {
		endings.unshift(() => end(part));
		return part;
	};
	try {
		const postgres = started(await startPostgres(), (one) => one.close());
		const redis = started(await startRedis({ persistent: true }), (one) => one.close());
		const pgbouncer = started(await startPgBouncer(postgres.port, "postgres"), (one) => one.close());
		const mailbox = started(await startSmtp(), (one) => one.close());
		const idp = started(await startIdentityProvider(), (one) => one.close());
		log("PostgreSQL, PgBouncer, Redis, mail and the identity provider are up");

		const globalClient = { clientId: "global-client", clientSecret: randomBytes(16).toString("hex") };
		const shared: Environment = {
			PLATFORM_SIGN_UP: "true",
			DATABASE_URL: postgres.url,
			REDIS_URL: `redis://127.0.0.1:${redis.port}`,
			SMTP_URL: mailbox.url,
			MAIL_FROM: "Conformance <auth@example.com>",
			ALLOW_PRIVATE_HOSTS: "true",
			SOCIAL_GITLAB_CLIENT_ID: globalClient.clientId,
			SOCIAL_GITLAB_CLIENT_SECRET: globalClient.clientSecret,
			SOCIAL_GITLAB_ISSUER: idp.gitlab.issuer,
			// changes by one process must apply at the other immediately
			TENANT_CACHE_MAX_AGE: "0",
			DELETION_DRAIN_TIME: "0.5",
			TENANT_POLICY: "true",
			TENANT_LIFECYCLE: "true",
			PLUGINS: "admin,tenant-admin,tenant-invitations,two-factor",
			TENANT_INVITATION_URL: "https://app.example.com/invitation",
		};
		const stack = started(await startStack(SERVICE_MAIN, shared, [{}, { DATABASE_URL: pgbouncer.url }]), (one) =>
			one.close(),
		);
		const variants = await startVariants(stack, (service) => started(service, (one) => one.stop("SIGKILL")));
		log(`two processes behind a load balancer and ${Object.keys(variants).length} processes with other options are up`);

		const url = `${stack.origin}/api/auth`;
		const places = [url, ...Object.values(variants)].map((base) => placeAt(base, MANAGEMENT_KEY));
		idp.addClient({ ...globalClient, redirectURIs: places.map((place) => callbackOf(place, PLAYED)) });
		const client = new Redis(redis.port, "127.0.0.1");
		const target = foreignTarget({
			url,
			managementKey: MANAGEMENT_KEY,
			variants,
			globalProvider: { id: PLAYED, clientId: globalClient.clientId, isPlayed: true },
			databaseURL: postgres.url,
			storage: async () =>
				Promise.all((await client.keys("*")).map(async (key) => `${key} ${await client.get(key).catch(() => "")}`)),
			secret: stack.environment.AUTH_SECRET,
			// mail arrives a moment after the response
			mailTo: async (email) => ({ url: linkIn(await mailbox.mailTo(email)) }),
			isThrownAway: true,
			idp,
		});
		const results = await runChecks("service", target.world, { only: [], parallel: 6 });
		await target.end();
		client.disconnect();

		const reasons = (outcome: "deviates" | "failed" | "notObservable") =>
			[...results].flatMap(([id, result]) => (result.outcome === outcome ? [`${id}: ${result.reason}`] : []));
		const passed = [...results.values()].filter(({ outcome }) => outcome === "passed").length;
		const result = {
			statements: results.size,
			passed,
			deviates: reasons("deviates"),
			failed: reasons("failed"),
			notObservable: reasons("notObservable"),
		};
		return {
			result,
			wrong: result.failed,
			lines: [
				`${result.passed} of ${result.statements} statements passed, ${result.deviates.length} deviate on purpose, ${result.failed.length} failed, ${result.notObservable.length} are not observable from outside`,
			],
		};
	} finally {
		for (const end of endings) await end();
	}
};

/** One process per variant at its own public URL. They share the tables. */
const startVariants = async (stack: Stack, keep: (service: Service) => Service): Promise<Record<string, string>> => {
	const bases: Record<string, string> = {};
	for (const [name, changes] of Object.entries(VARIANTS)) {
		const port = await freePort();
		const environment = { ...stack.environment, AUTH_URL: `http://127.0.0.1:${port}`, ...changes };
		const { origin } = keep(await startService({ main: SERVICE_MAIN, environment }, port));
		bases[name] = origin + (changes.BASE_PATH ?? "/api/auth");
	}
	return bases;
};

/** As a separate process, it prints its outcome as one line of JSON. */
if (import.meta.main) {
	const outcome = await runConformance({ log: (line) => console.error(line) });
	console.log(JSON.stringify(outcome));
}
