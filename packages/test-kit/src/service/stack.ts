import { randomBytes } from "node:crypto";
import { MANAGEMENT_KEY } from "../load/management-key.ts";
import { startBalancer } from "../servers/balancer.ts";
import { freePort } from "../servers/free-port.ts";
import { type Environment, runCommand, type Service, startService } from "./service.ts";

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** Environment that all processes share, besides database and storage. */
const baseEnvironment = (publicURL: string): Environment => ({
	AUTH_URL: publicURL,
	AUTH_SECRET: randomBytes(32).toString("base64"),
	MANAGEMENT_KEYS: MANAGEMENT_KEY,
	TRUSTED_PROXIES: "127.0.0.1",
	REQUIRE_EMAIL_VERIFICATION: "false",
	// one address sends all requests
	RATE_LIMIT: "false",
	LOG_LEVEL: "warn",
	NODE_ENV: "production",
});

/**
 * Migrates, then starts several processes with their own extra environment behind one balancer, which rotates requests
 * among them.
 */
export const startStack = async (main: string, shared: Environment, alone: Environment[] = [{}, {}]) => {
	const port = await freePort();
	const ports = await Promise.all(alone.map(freePort));
	const environment: Environment = {
		...baseEnvironment(`http://127.0.0.1:${port}`),
		// some parts call the processes directly
		TRUSTED_ORIGINS: ports.map((one) => `http://127.0.0.1:${one}`).join(","),
		...shared,
	};
	await runCommand({ main, environment }, "migrate");
	const services: Service[] = [];
	const stopAll = async () => void (await Promise.all(services.map((service) => service.stop("SIGKILL"))));
	try {
		for (const [index, own] of alone.entries())
			services.push(await startService({ main, environment: { ...environment, ...own } }, ports[index]));
		const balancer = await startBalancer(ports, port);
		return {
			environment,
			services,
			origin: balancer.origin,
			untilAllServe: balancer.untilAllServe,
			close: async () => {
				await stopAll();
				await balancer.close();
			},
		};
	} catch (error) {
		await stopAll();
		throw error;
	}
};
