import { Deployment } from "kubernetes-models/apps/v1/Deployment";
import { HorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2/HorizontalPodAutoscaler";
import { Job } from "kubernetes-models/batch/v1/Job";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1/Ingress";
import { NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1/NetworkPolicy";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1/PodDisruptionBudget";
import { ConfigMap } from "kubernetes-models/v1/ConfigMap";
import { Service } from "kubernetes-models/v1/Service";

const MODELS = [
	...[ConfigMap, Deployment, HorizontalPodAutoscaler, Ingress, Job, NetworkPolicy, PodDisruptionBudget, Service],
];

/** What the API server would complain about: values of the wrong type, missing fields, and fields that do not exist. */
export const complaintsAbout = (manifest: Record<string, unknown>): string[] => {
	const name = `${manifest.apiVersion} ${manifest.kind}`;
	const Model = MODELS.find((one) => `${one.apiVersion} ${one.kind}` === name);
	if (!Model) return [`${name} is not a known kind`];
	const unread = new Set<string>();
	try {
		// not of an instance: the constructor reads everything
		Model.prototype.validate.call(watched(manifest, name, unread));
	} catch (error) {
		return [`${name}: ${error instanceof Error ? error.message : error}`];
	}
	return [...unread].map((path) => `${path} does not exist`);
};

/** The schema's validator reads every field that it knows. What it never reads does not exist. */
const watched = (value: unknown, path: string, unread: Set<string>): unknown => {
	if (typeof value !== "object" || value === null) return value;
	const copy: Record<string, unknown> = {};
	for (const [key, inner] of Object.entries(value)) {
		const at = `${path}.${key}`;
		const seen = watched(inner, at, unread);
		unread.add(at);
		Object.defineProperty(copy, key, {
			enumerable: true,
			get: () => {
				unread.delete(at);
				return seen;
			},
		});
	}
	if (!Array.isArray(value)) return copy;
	for (const key of Object.keys(value)) unread.delete(`${path}.${key}`);
	return Object.keys(value).map((key) => watched(value[Number(key)], `${path}.${key}`, unread));
};

type Container = {
	name: string;
	image: string;
	args: string[];
	env?: { name: string; value?: string; valueFrom?: unknown }[];
	envFrom?: Record<string, { name: string }>[];
	volumeMounts?: { name: string; mountPath: string }[];
	ports?: { name: string; containerPort: number }[];
	securityContext: unknown;
	resources: { requests: unknown; limits: { memory: string } };
	startupProbe: Probe;
	livenessProbe: Probe;
	readinessProbe: Probe;
};
type Probe = { httpGet: { path: string; port: string }; periodSeconds: number; failureThreshold: number };
export type Pod = {
	metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
	spec: {
		volumes?: { name: string }[];
		securityContext: unknown;
		automountServiceAccountToken: boolean;
		enableServiceLinks: boolean;
		terminationGracePeriodSeconds: number;
		topologySpreadConstraints: { topologyKey: string; labelSelector: { matchLabels: Record<string, string> } }[];
		containers: [Container];
	};
};
type Selector = { matchLabels: Record<string, string> };
type IngressPath = { path: string; backend: { service: { name: string; port: { name: string } } } };
export type Manifests = {
	Ingress: {
		spec: {
			tls: { secretName: string; hosts: string[] }[];
			rules: { host: string; http: { paths: IngressPath[] } }[];
		};
	};
	ConfigMap: { metadata: { name: string }; data: Record<string, string> };
	Job: { metadata: { name: string; annotations?: Record<string, string> }; spec: { template: Pod } };
	Deployment: { metadata: { name: string }; spec: { replicas?: number; selector: Selector; template: Pod } };
	Service: { spec: { selector: Record<string, string>; ports: { targetPort: string }[] } };
	HorizontalPodAutoscaler: { spec: { scaleTargetRef: { name: string }; minReplicas: number; maxReplicas: number } };
	PodDisruptionBudget: { spec: { maxUnavailable: number; selector: Selector } };
	NetworkPolicy: {
		spec: {
			podSelector: Selector;
			policyTypes: string[];
			ingress: { from: unknown[]; ports: { port: string }[] }[];
			egress: { to?: { ipBlock: { cidr: string; except?: string[] } }[]; ports: { port: number }[] }[];
		};
	};
};

/** The manifests by kind. Throws if there is none, or more than one, of the kind. */
export const byKind = (documents: Record<string, unknown>[]) => {
	return <Kind extends keyof Manifests>(kind: Kind): Manifests[Kind] => {
		const found = documents.filter((document) => document.kind === kind);
		if (found.length !== 1) throw new Error(`There are ${found.length} of ${kind}`);
		return found[0] as Manifests[Kind];
	};
};
