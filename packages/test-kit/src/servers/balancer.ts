import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startChild } from "./child.ts";
import { freePort } from "./free-port.ts";

/** HAProxy before some processes: requests rotate among those that report ready. */
export const startBalancer = async (ports: number[], at?: number) => {
	const folder = await mkdtemp(join(tmpdir(), "balancer-"));
	const port = at ?? (await freePort());
	const file = join(folder, "haproxy.cfg");
	const statistics = await freePort();
	await writeFile(file, configuration({ port, statistics, ports }));
	const child = startChild("haproxy", ["-db", "-f", file]);
	await child.until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok);
	return {
		port,
		origin: `http://127.0.0.1:${port}`,
		/** Waits until it sends requests to every process. Restarting the next one earlier would leave none. */
		untilAllServe: () =>
			child.until(async () => {
				const lines = (await (await fetch(`http://127.0.0.1:${statistics}/;csv`)).text()).split("\n");
				return lines.filter((line) => /^processes,process\d+,.*,UP,/.test(line)).length === ports.length;
			}),
		close: async () => {
			await child.end("SIGKILL");
			await rm(folder, { recursive: true, force: true });
		},
	};
};

type Configured = { port: number; statistics: number; ports: number[] };

const configuration = ({ port, statistics, ports }: Configured): string => `
defaults
	mode http
	timeout connect 1s
	timeout client 60s
	timeout server 60s
	timeout check 5s
	option forwardfor
	option redispatch
	retries 3
	retry-on conn-failure

frontend public
	bind 127.0.0.1:${port}
	default_backend processes

frontend statistics
	bind 127.0.0.1:${statistics}
	stats enable
	stats uri /

backend processes
	balance roundrobin
	option httpchk GET /readyz
	default-server check inter 250ms fall 5 rise 1
${ports.map((one, index) => `\tserver process${index + 1} 127.0.0.1:${one}`).join("\n")}
`;
