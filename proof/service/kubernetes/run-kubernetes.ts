import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "test-kit/results/outcome";
import { startPostgres } from "test-kit/servers/postgres-server";
import * as z from "zod";
import { buildImage, run } from "../image/builder.ts";
import type { RunOptions } from "../part.ts";
import { type Manifest, openChart } from "./chart.ts";
import { ADDRESS_OF_HOST, type Cluster, startCluster } from "./cluster.ts";
import { findPrograms, VERSION } from "./programs.ts";
import { createCaller, startRequests } from "./requests.ts";

export type KubernetesResult = {
	version: string;
	/** kinds that the API server accepted */
	accepted: string[];
	/** from the deployment until both pods are ready */
	readyAfterMs: number;
	/** while the pods were replaced because of a changed secret */
	requests: number;
	failed: number;
	/** bytes of the pod that took most */
	peakMemory: number;
};

const IMAGE = "registry.example.com/better-auth-tenants";
const PODS = 2;

/** Installs the chart in a real cluster of one node, uses it, changes its secret under load, and completes an upgrade. */
export const runKubernetes = async ({ log }: RunOptions): Promise<Outcome<KubernetesResult>> => {
	const folder = await mkdtemp(join(tmpdir(), "kubernetes-"));
	const closings: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
	try {
		const programs = await findPrograms(folder, log);
		const postgres = await startPostgres();
		closings.push(postgres.close);
		const cluster = await startCluster(programs, join(folder, "cluster"));
		closings.push(cluster.close);
		log(`Kubernetes ${VERSION} runs`);
		await cluster.load(await makePause(folder));
		const image = await buildImage(join(folder, "image"), log);
		await image.save(join(folder, "service.tar"), `${IMAGE}:0.1.0`);
		await cluster.load(join(folder, "service.tar"));
		const forwarded = await forward(Number(new URL(postgres.url).port));
		closings.push(forwarded.close);
		return await useChart(cluster, folder, forwarded.url, log);
	} finally {
		for (const close of closings.toReversed()) await close().catch((error: unknown) => log(String(error)));
	}
};

/** PostgreSQL listens on loopback, which pods do not see. */
const forward = async (port: number) => {
	const server = createServer((near) => {
		const far = connect(port, "127.0.0.1");
		near.pipe(far).pipe(near);
		for (const [one, other] of [
			[near, far],
			[far, near],
		] as const)
			one.on("error", () => other.destroy()).on("close", () => other.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, ADDRESS_OF_HOST, resolve));
	const { port: at } = z.object({ port: z.number() }).parse(server.address());
	return {
		url: `postgres://postgres@${ADDRESS_OF_HOST}:${at}/postgres`,
		close: async () => void server.close(),
	};
};

/** What holds a pod's namespaces: a program that does nothing. */
const makePause = async (folder: string): Promise<string> => {
	const [source, program, archive] = ["pause.c", "pause", "pause.tar"].map((name) => join(folder, name)) as [
		string,
		string,
		string,
	];
	await writeFile(source, "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
	await run("gcc", ["-Os", "-static", "-o", program, source]);
	const storage = ["--root", join(folder, "pause-images"), "--runroot", join(folder, "pause-run")];
	const buildah = (...args: string[]) => run("buildah", [...storage, "--storage-driver", "vfs", ...args]);
	const container = (await buildah("from", "scratch")).trim();
	await buildah("copy", container, program, "/pause");
	await buildah("config", "--entrypoint", '["/pause"]', container);
	await buildah("commit", "--rm", container, "localhost/pause:1");
	await buildah("push", "localhost/pause:1", `docker-archive:${archive}:localhost/pause:1`);
	return archive;
};

const useChart = async (
	cluster: Cluster,
	folder: string,
	databaseURL: string,
	log: (line: string) => void,
): Promise<Outcome<KubernetesResult>> => {
	const { kubectl, apply, read } = cluster;
	const wrong: string[] = [];
	const expect = (what: string, holds: boolean, seen: unknown = ""): void => {
		if (!holds) wrong.push(`${what}: ${String(seen).slice(-600)}`);
	};
	const render = await openChart(folder);
	const audit = join(folder, "audit");
	await apply(environment(audit));
	await run("install", ["-d", "-m", "777", audit]);
	const key = await putSecret(cluster, databaseURL);

	const manifests = await render(VALUES);
	const of = (kind: string, name = "auth"): Manifest[] =>
		manifests.filter((one) => one.kind === kind && one.metadata.name.startsWith(name));
	await apply(manifests, "--dry-run=server");
	const accepted = [...new Set(manifests.map(({ kind }) => kind))].sort();
	log(`the API server accepts ${accepted.join(", ")}`);

	const complete = async (job: string): Promise<void> => {
		await apply(of("Job", job));
		await kubectl("wait", "--for=condition=complete", `job/${job}-0-1-0`, "--timeout=300s");
		log(await kubectl("logs", `job/${job}-0-1-0`, "--tail=1").then((text) => `${job}: ${text.trim()}`));
	};
	await complete("auth-migrate");
	await apply(manifests.filter(({ kind }) => !["Job", "Deployment", "HorizontalPodAutoscaler"].includes(kind)));
	const began = performance.now();
	await apply(replicated(of("Deployment")));
	await kubectl("rollout", "status", "deployment/auth", "--timeout=300s");
	const readyAfterMs = Math.round(performance.now() - began);
	log(`${PODS} pods are ready after ${readyAfterMs} ms`);

	for (const pod of await cluster.pods()) await lookInside(cluster, pod, expect);
	const caller = createCaller(await read(".spec.clusterIP", "service", "auth"));
	const tenant = await caller.use(key, expect);
	const files = await readdir(audit);
	const written = (await Promise.all(files.map((file) => readFile(join(audit, file), "utf8")))).join("");
	expect("the audit log has the tenant", written.includes("tenant:create"), written);

	const requests = startRequests(caller, tenant);
	const before = await cluster.pods();
	const next = await putSecret(cluster, databaseURL);
	const resourceVersion = await read(".metadata.resourceVersion", "secret", "auth");
	const upgraded = await render(VALUES, { "Secret/auth": { metadata: { resourceVersion } } });
	await apply(replicated(upgraded.filter(({ kind }) => kind === "Deployment")));
	await kubectl("rollout", "status", "deployment/auth", "--timeout=300s");
	await kubectl("wait", "--for=delete", ...before.map((pod) => `pod/${pod}`), "--timeout=120s");
	const { answers, failed } = await requests.stop();
	expect("requests failed while the pods were replaced", failed === 0, JSON.stringify(answers));
	expect(
		"a pod is still there",
		(await cluster.pods()).every((pod) => !before.includes(pod)),
	);
	expect("the former key is refused", (await caller.list(key)) === 403);
	expect("the new key is accepted", (await caller.list(next)) === 200);
	const sent = Object.values(answers).reduce((sum, count) => sum + count, 0);
	log(`the pods were replaced because of a changed secret: ${failed} of ${sent} requests failed`);

	await complete("auth-contract");
	const evicted = await evictAll(cluster);
	expect("one pod may be evicted at a time", evicted.join(" ") === "evicted refused", evicted.join(" "));
	const peakMemory = await peakOf(cluster);
	return {
		result: { version: VERSION, accepted, readyAfterMs, requests: sent, failed, peakMemory },
		wrong,
		lines: [
			`Kubernetes ${VERSION}: ${PODS} pods ready after ${readyAfterMs} ms, ${failed} of ${sent} requests failed while they were replaced, ${Math.round(peakMemory / 1_048_576)} MiB of memory at most`,
		],
	};
};

/** What the chart's values name, besides the secret. */
const environment = (audit: string): object[] => [
	{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "internal-ca" }, data: { "root.pem": "" } },
	{
		apiVersion: "v1",
		kind: "PersistentVolume",
		metadata: { name: "audit" },
		spec: {
			capacity: { storage: "1Gi" },
			accessModes: ["ReadWriteMany"],
			storageClassName: "",
			hostPath: { path: audit },
		},
	},
	{
		apiVersion: "v1",
		kind: "PersistentVolumeClaim",
		metadata: { name: "audit" },
		spec: {
			accessModes: ["ReadWriteMany"],
			storageClassName: "",
			volumeName: "audit",
			resources: { requests: { storage: "1Gi" } },
		},
	},
];

const AUTH_SECRET = randomBytes(32).toString("base64");

const VALUES = {
	image: { repository: IMAGE, tag: "0.1.0", pullPolicy: "Never" },
	config: {
		AUTH_URL: "https://auth.example.com",
		TRUSTED_PROXIES: "10.78.0.1",
		REQUIRE_EMAIL_VERIFICATION: "false",
		SHUTDOWN_DELAY: "5",
		PLUGINS: "admin,tenant-admin",
		CONSOLE: "true",
		PAGES: "true",
		TENANT_RESOLVER: "path",
		RATE_LIMIT: "false",
	},
	resources: { requests: { cpu: "100m", memory: "384Mi" }, limits: { memory: "512Mi" } },
	secretFiles: ["AUTH_SECRET", "MANAGEMENT_KEYS", "DATABASE_URL"],
	trustedCA: { configMap: "internal-ca", key: "root.pem" },
	auditClaim: "audit",
	migration: { contract: true },
	ingress: {
		enabled: true,
		certificates: [
			{ secret: "app-tls", hosts: ["auth.example.com", "*.app.example.com"] },
			{ secret: "globex-tls", hosts: ["login.globex.example"] },
		],
	},
};

/** Creates or changes the secret. Returns its management key, which is another one each time. */
const putSecret = async ({ apply }: Cluster, databaseURL: string): Promise<string> => {
	const key = randomBytes(32).toString("hex");
	const stringData = { AUTH_SECRET, MANAGEMENT_KEYS: key, DATABASE_URL: databaseURL };
	await apply([{ apiVersion: "v1", kind: "Secret", metadata: { name: "auth" }, stringData }]);
	return key;
};

/** Without metrics, an autoscaler would set nothing. */
const replicated = (deployments: Manifest[]): Manifest[] =>
	deployments.map((one) => ({ ...one, spec: { ...one.spec, replicas: PODS } }));

type Expect = (what: string, holds: boolean, seen?: unknown) => void;

const lookInside = async ({ kubectl }: Cluster, pod: string, expect: Expect): Promise<void> => {
	const inside = (...program: string[]) => kubectl("exec", pod, "--", ...program).catch(String);
	const status = await inside("cat", "/proc/1/status");
	for (const pattern of [/^Uid:\t1000\t1000/m, /^CapEff:\t0+$/m, /^NoNewPrivs:\t1$/m, /^Seccomp:\t2$/m])
		expect(`${pod} has ${pattern}`, pattern.test(status), status);
	expect(`${pod} cannot write`, /Read-only file system/.test(await inside("touch", "/service/x")));
	const variables = await inside("env");
	expect(`${pod} has no secret among its variables`, !/^(AUTH_SECRET|DATABASE_URL|MANAGEMENT_KEYS)=/m.test(variables));
	const doctor = await inside("node", "dist/main.js", "doctor");
	expect(`${pod} finds nothing wrong`, /^0 wrong/m.test(doctor), doctor);
};

/** Asks to evict each pod, as draining a node does. */
const evictAll = async (cluster: Cluster): Promise<string[]> => {
	const outcomes: string[] = [];
	for (const name of await cluster.pods()) {
		const body = { apiVersion: "policy/v1beta1", kind: "Eviction", metadata: { name, namespace: "default" } };
		const path = `/api/v1/namespaces/default/pods/${name}/eviction`;
		const file = join(tmpdir(), `eviction-${name}.json`);
		await writeFile(file, JSON.stringify(body));
		const evicted = cluster.kubectl("create", "--raw", path, "-f", file).then(
			() => "evicted",
			(error: unknown) => (/TooManyRequests/.test(String(error)) ? "refused" : String(error)),
		);
		outcomes.push(await evicted);
		await rm(file);
	}
	return outcomes;
};

/** Bytes of the server that took most. */
const peakOf = async (cluster: Cluster): Promise<number> => {
	const peaks = (await cluster.pods()).map(async (pod) => {
		const status = await cluster.kubectl("exec", pod, "--", "cat", "/proc/1/status").catch(() => "");
		return Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) * 1_024;
	});
	return Math.max(0, ...(await Promise.all(peaks)));
};
