import { randomBytes } from "node:crypto";
import { MANAGEMENT_KEY } from "../load/management-key.ts";
import { startBalancer } from "../servers/balancer.ts";
import { freePort } from "../servers/free-port.ts";
import { type Environment, runCommand, type Service, startService } from "./service.ts";

export type Stack = Awaited<ReturnType<typeof startStack>>;

/** What a process is told that is the same for all of them; its database and storage come on top. */
const baseEnvironment = (publicURL: string): Environment => ({
	AUTH_URL: publicURL,
	AUTH_SECRET: randomBytes(32).toString("base64"),
	MANAGEMENT_KEYS: MANAGEMENT_KEY,
	TRUSTED_PROXIES: "127.0.0.1",
	REQUIRE_EMAIL_VERIFICATION: "false",
	// one address sends it all
	RATE_LIMIT: "false",
	LOG_LEVEL: "warn",
	NODE_ENV: "production",
});

/**
 * The tables, then several processes, one after the other given what is said for it alone, behind one balancer that sends
 * each request to the next of them.
 */
export const startStack = async (main: string, shared: Environment, alone: Environment[] = [{}, {}]) => {
	const port = await freePort();
	const ports = await Promise.all(alone.map(freePort));
	const environment: Environment = {
		...baseEnvironment(`http://127.0.0.1:${port}`),
		// some parts ask the processes themselves
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
