import { makeCertificates } from "test-kit/certificates";
import type { Outcome } from "test-kit/results/outcome";
import type { RunOptions } from "./part.ts";
import { CHECKS, type Proxied } from "./proxies/checks.ts";
import { KINDS, type Kind } from "./proxies/kinds.ts";
import { type Rolled, restartUnderLoad } from "./proxies/rolling.ts";
import { CUSTOM_DOMAIN, PLATFORM_HOST, TENANT_DOMAIN } from "./proxies/samples.ts";
import { type Processes, startProcesses, type Tenants } from "./proxies/services.ts";
import { startProxy, versionOf } from "./proxies/start-proxy.ts";

type ProxyResult = {
	name: string;
	version: string;
	sample: string;
	checks: string[];
	/** what was taken out of the sample, each noticed by the check that is for it */
	noticed: string[];
	rolling: Rolled;
};

export type ProxiesResult = { proxies: ProxyResult[] };

/** The samples of reverse proxies, each in front of two processes: hosts, forged headers, limits, a rolling restart. */
export const runProxies = async ({ full, log }: RunOptions): Promise<Outcome<ProxiesResult>> => {
	const certificates = makeCertificates([PLATFORM_HOST, `*.${TENANT_DOMAIN}`, CUSTOM_DOMAIN]);
	const processes = await startProcesses();
	const proxies: ProxyResult[] = [];
	const wrong: string[] = [];
	let tenants: Tenants | null = null;
	try {
		for (const kind of KINDS) {
			const { name, sample } = kind;
			const version = await versionOf(kind);
			const proxy = await startProxy(kind, { services: processes.services, certificates });
			try {
				tenants ??= await processes.createTenants(proxy.address);
				wrong.push(...(await runChecks(kind, { ...proxy, tenants })));
				const { services } = processes;
				const rolling = await restartUnderLoad({ ...proxy, tenants, services, rounds: full ? 5 : 1 });
				wrong.push(...rolling.failures.map((failure) => `${name}, rolling restart: ${failure}`));
				proxies.push({ name, version, sample, checks: CHECKS.map((check) => check.name), noticed: [], rolling });
				log(`${name} ${version}: ${rolling.requests} requests, ${rolling.restarts} restarts`);
			} finally {
				await proxy.close();
			}
			const { missed, noticed } = await weaken(kind, processes, certificates, tenants);
			proxies.at(-1)?.noticed.push(...noticed);
			wrong.push(...missed);
		}
	} finally {
		await processes.close();
	}
	return {
		result: { proxies },
		wrong,
		lines: proxies.map(
			({ name, version, noticed, rolling }) =>
				`${name} ${version}: ${CHECKS.length} checks, ${noticed.length} weakened samples noticed, ${rolling.restarts} restarts under load with ${rolling.requests} requests and ${rolling.failed} failures`,
		),
	};
};

const runChecks = async ({ name }: Kind, proxied: Proxied): Promise<string[]> => {
	const wrong: string[] = [];
	for (const check of CHECKS)
		for (const complaint of await check.run(proxied)) wrong.push(`${name}, ${check.name}: ${complaint}`);
	return wrong;
};

/** Takes each defense out of the sample. The check that is for it has to complain, or it checks nothing. */
const weaken = async (
	kind: Kind,
	{ services }: Processes,
	certificates: ReturnType<typeof makeCertificates>,
	tenants: Tenants,
): Promise<{ missed: string[]; noticed: string[] }> => {
	const missed: string[] = [];
	const noticed: string[] = [];
	for (const { without, changes, noticedBy } of kind.weakened) {
		const proxy = await startProxy(kind, { services, certificates, weakened: changes });
		try {
			const check = CHECKS.find(({ name }) => name === noticedBy);
			if (!check) throw new Error(`There is no check "${noticedBy}"`);
			if ((await check.run({ ...proxy, tenants })).length > 0) noticed.push(without);
			else missed.push(`${kind.name} without ${without}: "${noticedBy}" does not notice`);
		} finally {
			await proxy.close();
		}
	}
	return { missed, noticed };
};
