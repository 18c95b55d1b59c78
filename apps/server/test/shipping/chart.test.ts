import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readSecretFiles, SECRETS } from "../../src/config/secret-files.ts";
import { connectionsOf } from "../../src/database/connections-of.ts";
import { checkDeployment, SECRET_VALUES } from "./support/deployment-rules.ts";
import { byKind, complaintsAbout, type Manifests, type Pod } from "./support/kubernetes.ts";

const execute = promisify(execFile);
const CHART = fileURLToPath(new URL("../../chart", import.meta.url));
const RENDERER = fileURLToPath(new URL("support/render-chart", import.meta.url));
const read = (name: string): string => readFileSync(join(CHART, name), "utf8");

type Documents = Record<string, unknown>[];

const folder = mkdtempSync(join(tmpdir(), "chart-"));
const program = join(folder, "render-chart");
// Helm is not part of Debian, but Go and the functions of Helm's templates are: golang-go, golang-github-masterminds-sprig-dev,
// golang-k8s-sigs-yaml-dev
beforeAll(async () => {
	const env = { ...process.env, GO111MODULE: "off", GOPATH: "/usr/share/gocode", GOFLAGS: "" };
	await execute("go", ["build", "-o", program, "."], { cwd: RENDERER, env });
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The rendered files by name. `cluster` is what an upgrade finds there: objects by kind and name. */
const renderFiles = async (values: object, cluster?: object): Promise<Record<string, string>> => {
	const [file, found] = ["values.json", "cluster.json"].map((name) => join(folder, name));
	writeFileSync(file ?? "", JSON.stringify(values));
	writeFileSync(found ?? "", JSON.stringify(cluster ?? {}));
	const env = { ...process.env, CLUSTER: cluster ? found : "" };
	const { stdout } = await execute(program, [CHART, file ?? ""], { env });
	return JSON.parse(stdout) as Record<string, string>;
};

const render = async (values: object = {}, cluster?: object): Promise<Documents> => {
	const { "NOTES.txt": _notes, ...files } = await renderFiles(values, cluster);
	return Object.values(files)
		.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Documents[number] | null))
		.filter((document) => document !== null);
};

const podsOf = (documents: Documents): Pod[] =>
	(["Job", "Deployment"] as const).map((kind) => byKind(documents)(kind).spec.template);

const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(JSON.parse(read("values.schema.json")));
const isValid = (changes: object): boolean => validate({ ...(parse(read("values.yaml")) as object), ...changes });

it("renders a deployment like kubernetes.yaml, with the values of the chart", async () => {
	const documents = await render();
	checkDeployment(documents);
	const byHand = parseAllDocuments(readFileSync(join(CHART, "../kubernetes.yaml"), "utf8")).map((one) => one.toJS());
	const kinds = (list: Documents) => list.map(({ kind }) => kind).sort();
	expect(kinds(documents)).toEqual(kinds(byHand));
	const [rendered, written] = [documents, byHand].map((list) => byKind(list));
	const podOf = (of: typeof rendered) => of?.("Deployment").spec.template.spec;
	const { containers, topologySpreadConstraints, ...pod } = podOf(rendered) ?? {};
	expect(podOf(written)).toMatchObject(pod);
	const { image: _image, imagePullPolicy: _policy, ...container } = { imagePullPolicy: "", ...containers?.[0] };
	expect(podOf(written)?.containers[0]).toMatchObject(container);
	expect(rendered?.("NetworkPolicy").spec).toEqual(written?.("NetworkPolicy").spec);
	expect(rendered?.("HorizontalPodAutoscaler").spec).toEqual(written?.("HorizontalPodAutoscaler").spec);
});

it("migrates before the pods of a version start, with the same variables", async () => {
	const of = byKind(
		await render({
			image: { tag: "2.3.4" },
			config: { TENANT_DOMAIN: "app.example.com", RATE_LIMIT_MAX: 50, BODY_LIMIT: 104_857_600 },
		}),
	);
	const { metadata, spec } = of("Job");
	expect(metadata.name).toBe("auth-migrate-2-3-4");
	expect(metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
	const given = spec.template.spec.containers[0].env?.map(({ name, value }) => [name, value]) ?? [];
	expect(Object.fromEntries(given)).toEqual(of("ConfigMap").data);
	expect(of("ConfigMap").data).toMatchObject({
		TENANT_DOMAIN: "app.example.com",
		RATE_LIMIT_MAX: "50",
		BODY_LIMIT: "104857600",
	});
});

it("renders every option", async () => {
	const documents = await render({
		image: { digest: `sha256:${"0".repeat(64)}` },
		imagePullSecrets: [{ name: "registry" }],
		ingress: { enabled: true, annotations: { a: "b" } },
		nodeSelector: { disk: "ssd" },
		tolerations: [{ key: "auth", operator: "Exists" }],
		podAnnotations: { note: "yes" },
		podMonitor: { enabled: true },
		extraEnv: [{ name: "NODE_OPTIONS", value: "--max-old-space-size=300" }],
		extraVolumes: [{ name: "more", emptyDir: {} }],
		extraVolumeMounts: [{ name: "more", mountPath: "/more" }],
	});
	expect(documents.filter(({ kind }) => kind !== "PodMonitor").flatMap(complaintsAbout)).toEqual([]);
	expect(documents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Ingress", "PodMonitor"]));
	for (const pod of podsOf(documents)) {
		const { image, env, volumeMounts } = pod.spec.containers[0];
		expect(image).toMatch(/@sha256:0{64}$/);
		expect(env).toContainEqual({ name: "NODE_OPTIONS", value: "--max-old-space-size=300" });
		expect(volumeMounts).toEqual([{ name: "more", mountPath: "/more" }]);
		expect(pod.spec.volumes).toEqual([{ name: "more", emptyDir: {} }]);
		expect(pod.spec).toMatchObject({ nodeSelector: { disk: "ssd" }, imagePullSecrets: [{ name: "registry" }] });
	}
	const few = await render({ migration: { enabled: false }, networkPolicy: { enabled: false } });
	expect(few.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(["Job"]));
	expect(few.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(["NetworkPolicy"]));
});

it("serves the pages, the console and the paths of every host, each with its certificate", async () => {
	const certificates = [
		{ secret: "app-tls", hosts: ["auth.example.com", "*.app.example.com"] },
		{ secret: "globex-tls", hosts: ["login.globex.example"] },
	];
	expect(isValid({ ingress: { certificates } })).toBe(true);
	const documents = await render({ ingress: { enabled: true, certificates } });
	const { tls, rules } = byKind(documents)("Ingress").spec;
	expect(tls).toEqual(certificates.map(({ secret, hosts }) => ({ secretName: secret, hosts })));
	expect(rules.map(({ host }) => host)).toEqual(certificates.flatMap(({ hosts }) => hosts));
	const backend = { service: { name: byKind(documents)("Deployment").metadata.name, port: { name: "http" } } };
	for (const { http } of rules) expect(http.paths).toEqual([{ path: "/", pathType: "Prefix", backend }]);
	expect(isValid({ ingress: { certificates: [{ secret: "app-tls", hosts: [] }] } })).toBe(false);
});

it("mounts secrets, a private authority and the audit log, as the service reads them", async () => {
	const documents = await render({
		secretFiles: Object.keys(SECRET_VALUES),
		trustedCA: { configMap: "internal-ca", key: "root.pem" },
		auditClaim: "audit",
	});
	expect(documents.flatMap(complaintsAbout)).toEqual([]);
	const files: Record<string, string> = {};
	for (const { spec } of podsOf(documents)) {
		const { env = [], envFrom = [], volumeMounts = [] } = spec.containers[0];
		// not as variables, too
		expect(JSON.stringify(envFrom)).not.toContain("secretRef");
		expect(volumeMounts.map(({ name }) => name)).toEqual(spec.volumes?.map(({ name }) => name));
		const paths = Object.fromEntries(volumeMounts.map(({ name, mountPath }) => [name, mountPath]));
		const given = Object.fromEntries(env.map(({ name, value }) => [name, value]));
		expect(given.NODE_EXTRA_CA_CERTS).toBe(`${paths.ca}/root.pem`);
		expect(given.AUDIT_FILE).toBe(`${paths.audit}/$(POD_NAME).ndjson`);
		for (const name of Object.keys(SECRET_VALUES)) {
			expect(given[`${name}_FILE`]).toBe(`${paths.secrets}/${name}`);
			files[`${name}_FILE`] = join(folder, name);
		}
	}
	for (const [name, value] of Object.entries(SECRET_VALUES)) writeFileSync(join(folder, name), value);
	const mistakes: string[] = [];
	expect(readSecretFiles(files, mistakes)).toEqual(SECRET_VALUES);
	expect(mistakes).toEqual([]);
	expect(isValid({ secretFiles: ["MAIL_FROM"] })).toBe(false);
	for (const name of SECRETS) expect(isValid({ secretFiles: [name, "SOCIAL_GITHUB_CLIENT_SECRET"] }), name).toBe(true);
	await expect(render({ trustedCA: { secret: "a", configMap: "b" } })).rejects.toThrow("Keep one of them");
});

it("restarts the pods when the secret has changed, and says nothing about it", async () => {
	const versionOf = async (resourceVersion?: string, values = {}) => {
		const secret = { metadata: { resourceVersion }, data: { AUTH_SECRET: "aGlkZGVu" } };
		const documents = await render(values, resourceVersion ? { "Secret/auth": secret } : undefined);
		return byKind(documents)("Deployment").spec.template.metadata.annotations;
	};
	expect(await versionOf("41")).toMatchObject({ "auth/secret-version": "41" });
	expect(await versionOf("42")).not.toEqual(await versionOf("41"));
	expect(JSON.stringify(await versionOf("42"))).not.toContain("aGlkZGVu");
	// where the chart is only rendered
	expect(await versionOf()).not.toHaveProperty("auth/secret-version");
	expect(await versionOf(undefined, { secretRevision: "2" })).toMatchObject({ "auth/secret-revision": "2" });
});

it("completes an upgrade in a second job, if asked to", async () => {
	const documents = await render({ image: { tag: "2.3.4" }, migration: { contract: true } });
	expect(documents.flatMap(complaintsAbout)).toEqual([]);
	const jobs = documents.filter(({ kind }) => kind === "Job") as Manifests["Job"][];
	expect(jobs.map(({ metadata }) => [metadata.name, metadata.annotations?.["helm.sh/hook"]])).toEqual([
		["auth-contract-2-3-4", "post-upgrade"],
		["auth-migrate-2-3-4", "pre-install,pre-upgrade"],
	]);
	const [contract, migrate] = jobs.map(({ spec }) => spec.template.spec.containers[0]);
	expect(contract).toEqual({ ...migrate, args: ["migrate", "--contract"] });
});

it("opens the ports of what is configured, and no private address by HTTPS", async () => {
	const to = [{ ipBlock: { cidr: "10.1.0.0/16" } }];
	const egress = [{ ports: [5432], to }, { ports: [26379, 6379] }];
	expect(isValid({ networkPolicy: { egress } })).toBe(true);
	const documents = await render({ networkPolicy: { egress, internet: false } });
	expect(documents.flatMap(complaintsAbout)).toEqual([]);
	const [, ...opened] = byKind(documents)("NetworkPolicy").spec.egress;
	const tcp = (ports: number[]) => ports.map((port) => ({ protocol: "TCP", port }));
	expect(opened).toEqual([{ ports: tcp([5432]), to }, { ports: tcp([26379, 6379]) }]);
	// a process has more connections than the pool, and an upgrade one process more
	const notes = async (values: object) => (await renderFiles(values))["NOTES.txt"];
	expect(await notes({})).toContain(`must allow ${9 * connectionsOf({ poolSize: 10 })} connections`);
	const many = { config: { DATABASE_POOL_SIZE: 20, TRUSTED_PROXIES: "10.0.0.1" }, autoscaling: { maxReplicas: 3 } };
	expect(await notes(many)).toContain(`must allow ${4 * connectionsOf({ poolSize: 20 })} connections`);
	expect(await notes(many)).not.toContain("TRUSTED_PROXIES");
});

it("rejects values that do not exist, secrets among variables, and the tag latest", async () => {
	expect(isValid({})).toBe(true);
	expect(isValid({ imagee: {} })).toBe(false);
	expect(isValid({ image: { repository: "a", tag: "latest" } })).toBe(false);
	await expect(render({ image: { tag: "latest" } })).rejects.toThrow("image.tag is latest");
	expect(isValid({ autoscaling: { minReplicas: 0, maxReplicas: 8, targetCPUUtilizationPercentage: 70 } })).toBe(false);
	const config = { AUTH_URL: "https://auth.example.com" };
	for (const name of [...SECRETS, "SOCIAL_GITHUB_CLIENT_SECRET"])
		expect(isValid({ config: { ...config, [name]: "x" } }), name).toBe(false);
	expect(isValid({ config: { ...config, TENANT_DOMAIN: "app.example.com" } })).toBe(true);
	expect(isValid({ config: {} })).toBe(false);
});

it("complains about a field that does not exist, or has the wrong type", () => {
	const service = { apiVersion: "v1", kind: "Service", metadata: { name: "a" } };
	expect(complaintsAbout({ ...service, spec: { ports: [{ port: 80 }] } })).toEqual([]);
	expect(complaintsAbout({ ...service, spec: { ports: [{ port: 80, targetPrt: 1 }] } })).toEqual([
		"v1 Service.spec.ports.0.targetPrt does not exist",
	]);
	expect(complaintsAbout({ ...service, spec: { ports: [{ port: "http" }] } })).toHaveLength(1);
	expect(complaintsAbout({ apiVersion: "v2", kind: "Service" })).toEqual(["v2 Service is not a known kind"]);
});
