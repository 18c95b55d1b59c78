import { expect } from "vitest";
import { readConfig, VARIABLES } from "../../../src/config/config.ts";
import { longestShutdown } from "../../../src/serve/longest-shutdown.ts";
import { byKind, complaintsAbout, type Pod } from "./kubernetes.ts";

/** Placeholders for secrets, so the rest can be read like the server does. */
export const SECRET_VALUES = {
	AUTH_SECRET: "x".repeat(32),
	MANAGEMENT_KEYS: "y".repeat(32),
	DATABASE_URL: "postgres://me@host/name",
	REDIS_URL: "redis://host:6379",
	SMTP_URL: "smtp://host:587",
};

/** What has to hold for a deployment on Kubernetes, written by hand or rendered from the chart. */
export const checkDeployment = (documents: Record<string, unknown>[]): void => {
	expect(documents.flatMap(complaintsAbout)).toEqual([]);
	const of = byKind(documents);
	const [job, deployment] = [of("Job"), of("Deployment")];
	const pods = [job, deployment].map(({ spec }) => spec.template);
	expect(pods.map(({ spec }) => spec.containers[0].args)).toEqual([["migrate"], ["serve"]]);
	checkVariables(of("ConfigMap").data, deployment.spec.template);
	pods.forEach(checkRestrictions);
	checkImages(job.metadata.name, pods);
	checkProbes(deployment.spec.template);
	checkSelectors(documents);
	checkNetwork(documents);
};

const checkVariables = (data: Record<string, string>, { spec }: Pod): void => {
	expect(Object.keys(data).filter((name) => !Object.hasOwn(VARIABLES, name))).toEqual([]);
	const config = readConfig({ ...data, ...SECRET_VALUES });
	const ports = new Map(spec.containers[0].ports?.map(({ name, containerPort }) => [name, containerPort]));
	expect(config.observe.metrics).toEqual({ host: "0.0.0.0", port: ports.get("metrics") });
	expect(config.http.port).toBe(ports.get("http"));
	// the shutdown must complete before the process is killed
	expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(longestShutdown(config.http));
	expect(config.http.shutdownDelay).toBeGreaterThan(0);
	// every pod of a cluster could forge addresses, if their network were trusted
	expect(config.http.trustedProxies).toEqual([]);
};

const RESTRICTED = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };

const checkRestrictions = ({ spec }: Pod): void => {
	// the user of the Dockerfile
	expect(spec.securityContext).toEqual({ ...RESTRICTED, runAsUser: 1000, runAsGroup: 1000, fsGroup: 1000 });
	expect(spec.containers[0].securityContext).toEqual({
		...RESTRICTED,
		readOnlyRootFilesystem: true,
		allowPrivilegeEscalation: false,
		capabilities: { drop: ["ALL"] },
	});
	expect(spec.automountServiceAccountToken).toBe(false);
	// a service with the name auth would set AUTH_PORT and others
	expect(spec.enableServiceLinks).toBe(false);
	expect(spec.containers[0].resources.limits.memory).toBeTruthy();
};

const checkImages = (jobName: string, pods: Pod[]): void => {
	const images = new Set(pods.map(({ spec }) => spec.containers[0].image));
	expect(images.size).toBe(1);
	const [, tag = ""] = /:([^:@/]+)$/.exec([...images][0] ?? "") ?? [];
	expect(tag).toMatch(/^\d+\.\d+\.\d+$/);
	// a job cannot be changed: each version needs its own
	expect(jobName.endsWith(`-migrate-${tag.replaceAll(".", "-")}`)).toBe(true);
};

const checkProbes = ({ spec }: Pod): void => {
	const { startupProbe, livenessProbe, readinessProbe } = spec.containers[0];
	// where probes do not wait behind a burst on the public port
	expect(startupProbe.httpGet).toEqual({ path: "/livez", port: "metrics" });
	expect(livenessProbe.httpGet).toEqual({ path: "/livez", port: "metrics" });
	expect(readinessProbe.httpGet).toEqual({ path: "/readyz", port: "metrics" });
	// a restart of PostgreSQL is no reason to take every pod out of the service
	expect(readinessProbe.failureThreshold * readinessProbe.periodSeconds).toBeGreaterThanOrEqual(10);
	expect(livenessProbe.failureThreshold * livenessProbe.periodSeconds).toBeGreaterThanOrEqual(60);
};

const checkSelectors = (documents: Record<string, unknown>[]): void => {
	const of = byKind(documents);
	const { metadata, spec } = of("Deployment");
	const selects = (selector: Record<string, string>, { metadata: { labels } }: Pod): boolean =>
		Object.entries(selector).every(([name, value]) => labels[name] === value);
	const ofServer = [
		spec.selector.matchLabels,
		of("Service").spec.selector,
		of("PodDisruptionBudget").spec.selector.matchLabels,
		...spec.template.spec.topologySpreadConstraints.map(({ labelSelector }) => labelSelector.matchLabels),
	];
	for (const selector of ofServer) {
		expect(selects(selector, spec.template)).toBe(true);
		// requests must not be sent to a migration
		expect(selects(selector, of("Job").spec.template)).toBe(false);
	}
	expect(spec.template.spec.topologySpreadConstraints.map(({ topologyKey }) => topologyKey)).toEqual([
		"kubernetes.io/hostname",
		"topology.kubernetes.io/zone",
	]);
	const { scaleTargetRef, minReplicas, maxReplicas } = of("HorizontalPodAutoscaler").spec;
	expect(scaleTargetRef.name).toBe(metadata.name);
	expect(minReplicas).toBeGreaterThanOrEqual(2);
	expect(maxReplicas).toBeGreaterThan(minReplicas);
	// it would fight with the autoscaler
	expect(spec.replicas).toBeUndefined();
	expect(of("PodDisruptionBudget").spec.maxUnavailable).toBe(1);
	// metrics are not public
	expect(of("Service").spec.ports.map(({ targetPort }) => targetPort)).toEqual(["http"]);
};

const checkNetwork = (documents: Record<string, unknown>[]): void => {
	const of = byKind(documents);
	const { policyTypes, ingress, egress, podSelector } = of("NetworkPolicy").spec;
	expect(policyTypes).toEqual(["Ingress", "Egress"]);
	for (const pod of [of("Job").spec.template, of("Deployment").spec.template])
		expect(pod.metadata.labels).toMatchObject(podSelector.matchLabels);
	expect(ingress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([["http"], ["metrics"]]);
	for (const { from } of ingress) expect(from).toHaveLength(1);
	const toProviders = egress.filter(({ ports }) => ports.some(({ port }) => port === 443));
	expect(toProviders).toHaveLength(1);
	expect(toProviders[0]?.to?.[0]?.ipBlock.except).toEqual(
		expect.arrayContaining(["10.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.168.0.0/16"]),
	);
};
