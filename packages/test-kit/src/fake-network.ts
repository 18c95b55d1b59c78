import dns from "node:dns";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";
import { onTestFinished } from "vitest";

export const PUBLIC_V4 = "93.184.216.34";
export const PUBLIC_V6 = "2606:2800:21f:cb07:6820:80da:af6b:8b2c";

type Found = { address: string; family: number };
type Done = (error: Error | null, found: string | Found[], family?: number) => void;
type Lookup = (name: string, options: { all?: boolean }, done: Done) => void;
type Target = { host?: string; port?: number; lookup?: Lookup };
type Connect = (this: net.Socket, ...given: unknown[]) => net.Socket;

const LOOPBACK: Found = { address: "127.0.0.1", family: 4 };

/**
 * Resolves names until the test ends: the addresses of a name's first lookup, of its second, and so on; the last ones
 * stay. Every address leads to loopback, so no test calls the internet. Returns the names that were looked up, and the
 * addresses that sockets connected to.
 */
export const fakeNetwork = (names: Record<string, string[][]>): { lookups: string[]; targets: string[] } => {
	const lookups: string[] = [];
	const targets: string[] = [];

	const find = async (name: string): Promise<Found[]> => {
		const answers = names[name] ?? [];
		const earlier = lookups.filter((one) => one === name).length;
		lookups.push(name);
		const found = answers[Math.min(earlier, answers.length - 1)];
		if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: "ENOTFOUND" });
		return found.map((address) => ({ address, family: net.isIP(address) }));
	};
	const lookup: Lookup = (name, { all }, done) => {
		find(name).then(
			(found) => (all ? done(null, found) : done(null, found[0]?.address ?? "", found[0]?.family)),
			(error: Error) => done(error, []),
		);
	};

	const divert = (target: Target): void => {
		const { host = "localhost", lookup: own = lookup } = target;
		if (net.isIP(host)) {
			targets.push(host);
			target.host = LOOPBACK.address;
			return;
		}
		target.lookup = (name, options, done) =>
			own(name, options, (error, found, family) => {
				if (error) return done(error, found, family);
				targets.push(...(typeof found === "string" ? [found] : found.map(({ address }) => address)));
				if (options.all) done(null, [LOOPBACK]);
				else done(null, LOOPBACK.address, LOOPBACK.family);
			});
	};
	const real = net.Socket.prototype.connect as Connect;
	const connect: Connect = function (...given) {
		const [first] = given;
		const target = (Array.isArray(first) ? first[0] : first) as Target;
		if (target.port !== undefined) divert(target);
		return real.apply(this, given);
	};

	const originals = [dns.lookup, dns.promises.lookup] as const;
	Object.assign(dns, { lookup });
	Object.assign(dns.promises, { lookup: find });
	Object.assign(net.Socket.prototype, { connect });
	syncBuiltinESMExports();
	onTestFinished(() => {
		Object.assign(dns, { lookup: originals[0] });
		Object.assign(dns.promises, { lookup: originals[1] });
		Object.assign(net.Socket.prototype, { connect: real });
		syncBuiltinESMExports();
	});
	return { lookups, targets };
};
