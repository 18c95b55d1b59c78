import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Ajv } from "ajv";
import { afterAll, beforeAll, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { SECRETS } from "../../src/config/secret-files.ts";
import { checkDeployment } from "./support/deployment-rules.ts";
import { byKind, complaintsAbout } from "./support/kubernetes.ts";

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

const render = async (values: object = {}): Promise<Documents> => {
	const file = join(folder, "values.json");
	writeFileSync(file, JSON.stringify(values));
	const { stdout } = await execute(program, [CHART, file]);
	return Object.values(JSON.parse(stdout) as Record<string, string>)
		.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Documents[number] | null))
		.filter((document) => document !== null);
};

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
		await render({ image: { tag: "2.3.4" }, config: { TENANT_DOMAIN: "app.example.com", RATE_LIMIT_MAX: 50 } }),
	);
	const { metadata, spec } = of("Job");
	expect(metadata.name).toBe("auth-migrate-2-3-4");
	expect(metadata.annotations?.["helm.sh/hook"]).toBe("pre-install,pre-upgrade");
	const given = spec.template.spec.containers[0].env?.map(({ name, value }) => [name, value]) ?? [];
	expect(Object.fromEntries(given)).toEqual(of("ConfigMap").data);
	expect(of("ConfigMap").data).toMatchObject({ TENANT_DOMAIN: "app.example.com", RATE_LIMIT_MAX: "50" });
});

it("renders every option", async () => {
	const documents = await render({
		image: { digest: `sha256:${"0".repeat(64)}` },
		imagePullSecrets: [{ name: "registry" }],
		ingress: { enabled: true, hosts: ["auth.example.com", "*.app.example.com"], annotations: { a: "b" } },
		nodeSelector: { disk: "ssd" },
		tolerations: [{ key: "auth", operator: "Exists" }],
		podAnnotations: { note: "yes" },
		podMonitor: { enabled: true },
	});
	expect(documents.filter(({ kind }) => kind !== "PodMonitor").flatMap(complaintsAbout)).toEqual([]);
	expect(documents.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["Ingress", "PodMonitor"]));
	expect(byKind(documents)("Deployment").spec.template.spec.containers[0].image).toMatch(/@sha256:0{64}$/);
	const few = await render({ migration: { enabled: false }, networkPolicy: { enabled: false } });
	expect(few.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(["Job"]));
	expect(few.map(({ kind }) => kind)).not.toEqual(expect.arrayContaining(["NetworkPolicy"]));
});

it("rejects values that do not exist, secrets among variables, and the tag latest", async () => {
	expect(isValid({})).toBe(true);
	expect(isValid({ imagee: {} })).toBe(false);
	expect(isValid({ image: { repository: "a", tag: "latest" } })).toBe(false);
	await expect(render({ image: { tag: "latest" } })).rejects.toThrow("image.tag is latest");
	expect(isValid({ autoscaling: { minReplicas: 0, maxReplicas: 8, targetCPUUtilizationPercentage: 70 } })).toBe(false);
	const config = { AUTH_URL: "https://auth.example.com" };
	for (const name of SECRETS) expect(isValid({ config: { ...config, [name]: "x" } }), name).toBe(false);
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
