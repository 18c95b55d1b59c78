import { PUBLIC_HOSTS } from "test-kit/public-hosts";
import { Agent, buildConnector, type Dispatcher } from "undici";

/**
 * Lets this process reach Google and Apple on loopback: same names and TLS checks, another address and CA. Any other
 * non-loopback host is refused, so that a test never depends on the network.
 */
export const createLoopbackDispatcher = ({ ca, port }: { ca: string; port: number }): Dispatcher => {
	const plain = buildConnector({});
	const trusting = buildConnector({ ca });
	const names = new Set<string>(PUBLIC_HOSTS);
	return new Agent({
		connect: (to, done) => {
			if (names.has(to.hostname)) {
				return trusting({ ...to, servername: to.hostname, hostname: "127.0.0.1", port: String(port) }, done);
			}
			if (to.hostname === "127.0.0.1" || to.hostname === "localhost") return plain(to, done);
			done(new Error(`${to.hostname} is outside of the test`), null);
		},
	});
};
