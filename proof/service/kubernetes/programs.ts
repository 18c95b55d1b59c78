import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../image/builder.ts";

const PROGRAMS = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy", "kubelet", "kubectl"];
/** The version whose source Debian has. Of the others, only kubectl is one of its packages. */
export const VERSION = "1.20.2";

/** The folder with the programs of Kubernetes: the one in KUBERNETES_PROGRAMS, or built from Debian's source in 20 minutes. */
export const findPrograms = async (folder: string, log: (line: string) => void): Promise<string> => {
	for (const program of ["etcd", "containerd", "runc", "iptables", "conntrack", "openssl", "go", "gcc"])
		await run("which", [program]).catch(() => {
			throw new Error(
				`${program} is missing. Run apt-get install etcd-server containerd runc iptables conntrack containernetworking-plugins openssl golang-go gcc libc6-dev dpkg-dev make rsync.`,
			);
		});
	return process.env.KUBERNETES_PROGRAMS ?? build(join(folder, "source"), log);
};

const build = async (folder: string, log: (line: string) => void): Promise<string> => {
	log(`building Kubernetes ${VERSION} from Debian's source`);
	const lists = join(folder, "lists");
	await mkdir(join(lists, "partial"), { recursive: true });
	const target = await run("apt-get", ["indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"]);
	const archive = target.split("\n").find((line) => line.endsWith(" bookworm"));
	if (!archive) throw new Error("apt knows no archive of Debian bookworm. Run apt-get update.");
	const sources = join(folder, "sources.list");
	const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
	await writeFile(sources, `deb-src [signed-by=${key}] ${archive} main\n`);
	const own = [`-oDir::Etc::SourceList=${sources}`, "-oDir::Etc::SourceParts=-", `-oDir::State::Lists=${lists}`];
	await run("apt-get", [...own, "update"]);
	await run("env", ["-C", folder, "apt-get", ...own, "source", "--download-only", "kubernetes"]);
	await run("sh", ["-c", `cd ${folder} && dpkg-source --no-check -x kubernetes_*.dsc unpacked`]);
	const unpacked = join(folder, "unpacked");
	const what = PROGRAMS.map((name) => `cmd/${name}`).join(" ");
	await run("env", [
		...[
			"-C",
			unpacked,
			"CGO_ENABLED=0",
			"GOFLAGS=-mod=vendor",
			`GOPATH=${unpacked}/.go`,
			`KUBE_GIT_VERSION=v${VERSION}`,
		],
		...["KUBE_GIT_TREE_STATE=clean", "KUBE_GIT_COMMIT=debian", "sh", "-c"],
		`mkdir -p .go/src/k8s.io && ln -sfn ../../.. .go/src/k8s.io/kubernetes && make WHAT="${what}"`,
	]);
	const built = join(unpacked, "_output/local/bin/linux");
	const [machine = ""] = await readdir(built);
	return join(built, machine);
};
