import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startChild } from "test-kit/servers/child";
import * as z from "zod";
import { run } from "../image/builder.ts";
import { makeCertificates } from "./certificates.ts";

/** The cluster is in a network namespace of its own: bridges, routes and rules of kube-proxy are gone with it. */
const NAMESPACE = "tenants-kubernetes";
/** Not `ip netns exec`, which hides the control groups. */
const WITHIN = [`--net=/run/netns/${NAMESPACE}`];
const [HOST, NODE] = ["10.79.0.1", "10.79.0.2"];
const [SERVICES, PODS] = ["10.77.0.0/24", "10.78.0.0/24"];
const API = `https://${NODE}:6443`;

export const ADDRESS_OF_HOST = HOST;

export type Cluster = Awaited<ReturnType<typeof startCluster>>;

type Closing = () => Promise<unknown>;

/** Starts a cluster of one node from the programs in a folder: a real API server, scheduler, controllers, kubelet and containerd. */
export const startCluster = async (programs: string, folder: string) => {
	const at = (name: string): string => join(folder, name);
	const closings: Closing[] = [];
	const close = async (): Promise<void> => {
		for (const end of closings.toReversed()) await end().catch(() => {});
	};
	const inside = async (program: string, args: string[], ready: () => Promise<unknown>): Promise<void> => {
		const child = startChild("nsenter", [...WITHIN, program, ...args], { cwd: folder });
		closings.push(() => child.end());
		await child.until(async () => {
			await ready();
			return true;
		});
	};
	const kubectl = (...args: string[]) => run(join(programs, "kubectl"), [`--kubeconfig=${at("admin.conf")}`, ...args]);
	const soon = async () => {};
	await mkdir(folder);
	try {
		closings.push(await clearing(folder));
		await openNetwork(closings);
		await makeCertificates(folder, { api: API, addresses: [NODE, "127.0.0.1", "10.77.0.1"] });
		const own = (name: string): string => join(programs, name);
		await inside("etcd", ["--data-dir", at("etcd")], soon);
		await inside(own("kube-apiserver"), apiServer(at), () => kubectl("get", "--raw", "/readyz"));
		await inside(own("kube-controller-manager"), controllers(at), soon);
		await inside(own("kube-scheduler"), [`--kubeconfig=${at("admin.conf")}`], soon);
		await startContainers(at, inside);
		await inside(own("kubelet"), kubelet(at), async () => {
			if (!(await kubectl("get", "nodes")).includes(" Ready ")) throw new Error("the node is not ready");
		});
		await inside(
			own("kube-proxy"),
			[
				`--kubeconfig=${at("admin.conf")}`,
				"--proxy-mode=iptables",
				"--hostname-override=node",
				`--cluster-cidr=${PODS}`,
			],
			soon,
		);
	} catch (error) {
		await close();
		throw error;
	}
	return {
		kubectl,
		/** Applies manifests. */
		apply: async (manifests: object[], ...options: string[]): Promise<void> => {
			const file = at("manifests.json");
			await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: manifests }));
			await kubectl("apply", "-f", file, ...options);
		},
		/** Loads an image from an archive. */
		load: (archive: string) => run("ctr", ["-a", at("containerd.sock"), "-n", "k8s.io", "images", "import", archive]),
		/** What a field of a resource says. */
		read: async (field: string, ...what: string[]): Promise<string> =>
			kubectl("get", ...what, "-o", `jsonpath={${field}}`),
		pods: async (): Promise<string[]> =>
			names
				.parse(JSON.parse(await kubectl("get", "pods", "-l", "component=server", "-o", "json")))
				.items.flatMap(({ metadata: { name, deletionTimestamp } }) => (deletionTimestamp ? [] : [name])),
		close,
	};
};

const names = z.object({
	items: z.array(z.object({ metadata: z.object({ name: z.string(), deletionTimestamp: z.string().optional() }) })),
});

const openNetwork = async (closings: Closing[]): Promise<void> => {
	const ip = (...args: string[]) => run("ip", args);
	const within = (...args: string[]) => run("nsenter", [...WITHIN, ...args]);
	await ip("netns", "delete", NAMESPACE).catch(() => {});
	await ip("netns", "add", NAMESPACE);
	closings.push(() => ip("netns", "delete", NAMESPACE));
	await ip("link", "add", "tenants-k8s", "type", "veth", "peer", "name", "outside", "netns", NAMESPACE);
	await ip("addr", "add", `${HOST}/30`, "dev", "tenants-k8s");
	await ip("link", "set", "tenants-k8s", "up");
	await within("ip", "addr", "add", `${NODE}/30`, "dev", "outside");
	await within("ip", "link", "set", "outside", "up");
	await within("ip", "link", "set", "lo", "up");
	await within("ip", "route", "add", "default", "via", HOST);
	await within("sysctl", "-qw", "net.ipv4.ip_forward=1");
	await ip("route", "add", SERVICES, "via", NODE);
};

/** What containers leave behind when the kubelet and containerd have ended: processes, mounts, networks and control groups. */
const clearing = async (folder: string): Promise<Closing> => {
	const networks = async (): Promise<string[]> =>
		[...(await run("ip", ["netns", "list"])).matchAll(/^cni-\S+/gm)].map(([name]) => name);
	const before = await networks();
	return async () => {
		const groups = "/sys/fs/cgroup/*/kubepods /sys/fs/cgroup/kubepods";
		const steps = [
			// a pattern that does not match this shell
			`pkill -KILL -f 'containerd[-]shim.*${folder}'`,
			`find ${groups} -name cgroup.procs 2>/dev/null | xargs -r cat | sort -u | xargs -r kill -KILL`,
			"sleep 1",
			`awk '$2 ~ "^${folder}/" { print $2 }' /proc/mounts | sort -r | xargs -r umount --lazy`,
			`find ${groups} -depth -type d -exec rmdir {} + 2>/dev/null`,
		];
		await run("sh", ["-c", `${steps.join("; ")}; true`]);
		for (const name of await networks()) if (!before.includes(name)) await run("ip", ["netns", "delete", name]);
	};
};

type At = (name: string) => string;

const apiServer = (at: At): string[] => [
	"--etcd-servers=http://127.0.0.1:2379",
	"--secure-port=6443",
	`--advertise-address=${NODE}`,
	`--service-cluster-ip-range=${SERVICES}`,
	`--client-ca-file=${at("ca.crt")}`,
	`--tls-cert-file=${at("api.crt")}`,
	`--tls-private-key-file=${at("api.key")}`,
	"--service-account-issuer=https://kubernetes",
	`--service-account-key-file=${at("sa.key")}`,
	`--service-account-signing-key-file=${at("sa.key")}`,
	"--authorization-mode=Node,RBAC",
	`--kubelet-client-certificate=${at("admin.crt")}`,
	`--kubelet-client-key=${at("admin.key")}`,
	"--kubelet-preferred-address-types=InternalIP",
];

const controllers = (at: At): string[] => [
	`--kubeconfig=${at("admin.conf")}`,
	`--service-account-private-key-file=${at("sa.key")}`,
	`--root-ca-file=${at("ca.crt")}`,
	"--allocate-node-cidrs=true",
	`--cluster-cidr=${PODS.replace("/24", "/16")}`,
];

const kubelet = (at: At): string[] => [
	`--kubeconfig=${at("node.conf")}`,
	"--hostname-override=node",
	`--node-ip=${NODE}`,
	"--container-runtime=remote",
	`--container-runtime-endpoint=unix://${at("containerd.sock")}`,
	"--fail-swap-on=false",
	`--client-ca-file=${at("ca.crt")}`,
	`--tls-cert-file=${at("api.crt")}`,
	`--tls-private-key-file=${at("api.key")}`,
	"--authorization-mode=Webhook",
	`--root-dir=${at("kubelet")}`,
	"--eviction-hard=memory.available<100Mi,nodefs.available<1%",
];

const startContainers = async (
	at: At,
	inside: (program: string, args: string[], ready: () => Promise<unknown>) => Promise<void>,
): Promise<void> => {
	await mkdir(at("cni"));
	const bridge = {
		type: "bridge",
		bridge: "pods",
		isGateway: true,
		ipMasq: true,
		ipam: {
			type: "host-local",
			dataDir: at("addresses"),
			ranges: [[{ subnet: PODS }]],
			routes: [{ dst: "0.0.0.0/0" }],
		},
	};
	const network = { cniVersion: "0.4.0", name: "pods", plugins: [bridge] };
	await writeFile(at("cni/pods.conflist"), JSON.stringify(network));
	// without CAP_SYS_RESOURCE, as in some virtual machines, no process may lower its score
	const wrapper = `#!${process.execPath}
const { readFileSync, writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
const at = args.indexOf("--bundle");
if (at >= 0) {
	const file = args[at + 1] + "/config.json";
	const config = JSON.parse(readFileSync(file, "utf8"));
	config.process.oomScoreAdj = Math.max(0, config.process.oomScoreAdj ?? 0);
	writeFileSync(file, JSON.stringify(config));
}
const { status } = require("node:child_process").spawnSync("runc", args, { stdio: "inherit" });
process.exit(status ?? 1);
`;
	await writeFile(at("runc"), wrapper);
	await chmod(at("runc"), 0o755);
	await writeFile(
		at("containerd.toml"),
		`version = 2
root = "${at("containerd/root")}"
state = "${at("containerd/state")}"
[grpc]
address = "${at("containerd.sock")}"
[plugins."io.containerd.grpc.v1.cri"]
sandbox_image = "localhost/pause:1"
[plugins."io.containerd.grpc.v1.cri".containerd]
snapshotter = "native"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
runtime_type = "io.containerd.runc.v2"
[plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
BinaryName = "${at("runc")}"
[plugins."io.containerd.grpc.v1.cri".cni]
bin_dir = "/usr/lib/cni"
conf_dir = "${at("cni")}"
`,
	);
	await inside("containerd", ["--config", at("containerd.toml")], () =>
		run("ctr", ["-a", at("containerd.sock"), "version"]),
	);
};
