import { Agent } from "node:https";
import { PASSWORD, pick, show } from "test-kit/load/visitor";
import { until } from "test-kit/servers/redis-server";
import { type Address, type HostAnswer, HostVisitor } from "./host-request.ts";
import { CUSTOM_DOMAIN } from "./samples.ts";
import { ACME_HOST, type Processes, someAddress, someName, type Tenants } from "./services.ts";

const WORKERS = 3;
const USED_WITHIN_SECONDS = 60;

export type Rolled = { restarts: number; requests: number; failed: number; failures: string[] };

type RollingWith = { address: Address; tenants: Tenants; services: Processes["services"]; rounds: number };

/** Restarts both processes in turn while users sign up, in and out at two tenant hosts. No request may fail. */
export const restartUnderLoad = async ({ address, tenants, services, rounds }: RollingWith): Promise<Rolled> => {
	let requests = 0;
	let stopped = false;
	const failures: string[] = [];
	const hosts = [
		[ACME_HOST, tenants.acme],
		[CUSTOM_DOMAIN, tenants.globex],
	] as const;
	const live = async (host: string, tenantId: string): Promise<void> => {
		// as many connections as a browser keeps, from an address of its own
		const agent = new Agent({ keepAlive: true, localAddress: someAddress() });
		const visitor = new HostVisitor(address, host, agent);
		const email = `${someName()}@example.com`;
		const credentials = { email, password: PASSWORD };
		const step = async (what: string, sent: Promise<HostAnswer>, holds: (json: unknown) => boolean) => {
			const answer = await sent;
			requests += 1;
			if (answer.status !== 200 || !holds(answer.json)) failures.push(`${what} at ${host}: ${show(answer)}`);
		};
		const isOwn = (json: unknown): boolean => pick(json, "session", "tenantId") === tenantId;
		await step("sign-up", visitor.send("/tenant/sign-up/email", { ...credentials, name: "W" }), isUserOf(tenantId));
		await step("sign-in", visitor.send("/tenant/sign-in/email", credentials), isUserOf(tenantId));
		for (let look = 0; look < 5; look += 1) await step("get-session", visitor.send("/get-session"), isOwn);
		await step("list-sessions", visitor.send("/list-sessions"), Array.isArray);
		const before = visitor.copy();
		await step("sign-out", visitor.send("/sign-out", {}), () => true);
		await step("get-session after sign-out", before.send("/get-session"), (json) => json === null);
		visitor.close();
	};
	const workers = Array.from({ length: WORKERS }, async (_, worker) => {
		for (let round = worker; !stopped; round += 1) {
			const [host, tenantId] = hosts[round % 2] ?? hosts[0];
			await live(host, tenantId);
		}
	});
	let restarts = 0;
	try {
		for (const { metricsPort } of services) await untilUsed(metricsPort);
		for (let round = 0; round < rounds; round += 1)
			for (const service of services) {
				const code = await service.restart();
				restarts += 1;
				if (code !== 0) failures.push(`a stopped process exited with ${code}`);
				await untilUsed(service.metricsPort);
			}
	} finally {
		stopped = true;
		await Promise.all(workers);
	}
	return { restarts, requests, failed: failures.length, failures: [...new Set(failures)] };
};

const isUserOf =
	(tenantId: string) =>
	(json: unknown): boolean =>
		pick(json, "user", "tenantId") === tenantId;

/** Waits until the proxy sends requests to a process. Stopping the other one earlier would leave none. */
const untilUsed = (metricsPort: number): Promise<void> =>
	until(async () => {
		const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
		return /^http_requests_total\{.*route="\/get-session",status="2xx".*\} [1-9]/m.test(text);
	}, USED_WITHIN_SECONDS);
