import { once } from "node:events";
import { createServer, get, globalAgent, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import tls, { type TLSSocket } from "node:tls";
import { gzipSync } from "node:zlib";
import { makeCertificates } from "test-kit/certificates";
import { fakeNetwork, PUBLIC_V4, PUBLIC_V6 } from "test-kit/fake-network";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { withBoundedFetch } from "../../src/features/oauth/bounded-fetch.ts";

const NAME = "idp.example.com";

/** A server that is private, or public if the fake network leads a public address to it. */
const seen = { connections: 0, requests: [] as IncomingMessage[], serverNames: [] as unknown[] };
let respond: (request: IncomingMessage, response: ServerResponse) => void;
let port = { http: 0, https: 0 };
const servers: Server[] = [];

const listen = async (server: Server): Promise<number> => {
	servers.push(server);
	server.on("connection", () => {
		seen.connections += 1;
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return (server.address() as AddressInfo).port;
};

const standardCas = tls.getCACertificates();
beforeAll(async () => {
	const { ca, cert, key } = makeCertificates([NAME]);
	tls.setDefaultCACertificates([...standardCas, ca]);
	const take = (request: IncomingMessage, response: ServerResponse): void => {
		seen.requests.push(request);
		respond(request, response);
	};
	const secure = createTlsServer({ cert, key }, take);
	secure.on("secureConnection", ({ servername }: TLSSocket) => seen.serverNames.push(servername));
	port = { http: await listen(createServer(take)), https: await listen(secure) };
});
afterAll(() => {
	tls.setDefaultCACertificates(standardCas);
	for (const server of servers) {
		server.closeAllConnections();
		server.close();
	}
});
beforeEach(() => {
	Object.assign(seen, { connections: 0, requests: [], serverNames: [] });
	respond = (_request, response) => response.end("ok");
});

const checked = <Result>(run: () => Promise<Result>, signal = AbortSignal.timeout(60_000)): Promise<Result> =>
	withBoundedFetch({ signal, publicHostsOnly: true }, run);

const INSIDE = [
	"0.0.0.0",
	"10.0.0.1",
	"100.100.100.200",
	"127.0.0.1",
	"168.63.129.16",
	"169.254.169.254",
	"172.16.0.1",
	"192.168.0.1",
	"::",
	"::1",
	"::127.0.0.1",
	"::ffff:127.0.0.1",
	"::ffff:168.63.129.16",
	"::ffff:0:127.0.0.1",
	"64:ff9b::7f00:1",
	"2002:7f00:1::",
	"2002:a83f:8110::",
	"fd00:ec2::254",
	"fe80::1",
	"fec0::1",
	"ff02::1",
];
const NOT_PUBLIC = /not at a public address/;

describe("a call to a tenant's own server", () => {
	// threat 23
	it("connects to the checked address, even if the name resolves to a private one the second time", async () => {
		const network = fakeNetwork({ [NAME]: [[PUBLIC_V4], ["127.0.0.1"]] });
		const response = await checked(() => fetch(`http://${NAME}:${port.http}/`));
		expect([response.status, await response.text()]).toEqual([200, "ok"]);
		expect(network).toEqual({ lookups: [NAME], targets: [PUBLIC_V4] });
		await expect(checked(() => fetch(`http://${NAME}:${port.http}/`))).rejects.toThrow(NOT_PUBLIC);
		expect(network).toEqual({ lookups: [NAME, NAME], targets: [PUBLIC_V4] });
		expect(seen.connections).toBe(1);
	});

	// threat 23
	it("does not connect if one of a name's addresses is private", async () => {
		const found = INSIDE.flatMap((inside) => [[inside], [PUBLIC_V4, inside], [inside, PUBLIC_V6]]);
		const names = found.map((addresses, at) => ({ name: `idp-${at}.example.com`, addresses }));
		const network = fakeNetwork(Object.fromEntries(names.map(({ name, addresses }) => [name, [addresses]])));
		for (const { name, addresses } of names) {
			await expect(
				checked(() => fetch(`http://${name}:${port.http}/`)),
				addresses.join(),
			).rejects.toThrow(NOT_PUBLIC);
		}
		expect(network).toEqual({ lookups: names.map(({ name }) => name), targets: [] });
		expect(seen.connections).toBe(0);
	});

	// threat 23
	it("does not connect if the URL contains a private address, which no lookup sees", async () => {
		const network = fakeNetwork({});
		const spellings = [
			"2130706433",
			"0x7f.1",
			"0177.0.0.1",
			"127.1",
			"localhost",
			"a.localhost",
			"metadata.google.internal",
		];
		const hosts = [...INSIDE.map((address) => (address.includes(":") ? `[${address}]` : address)), ...spellings];
		for (const host of hosts) {
			for (const url of [`http://${host}:${port.http}/`, `https://${host}:${port.https}/`]) {
				await expect(
					checked(() => fetch(url)),
					url,
				).rejects.toThrow(NOT_PUBLIC);
			}
		}
		expect(network).toEqual({ lookups: [], targets: [] });
		expect(seen.connections).toBe(0);
	});

	it("connects to a public address of either family, resolved or in the URL", async () => {
		const network = fakeNetwork({ [NAME]: [[PUBLIC_V6, PUBLIC_V4]] });
		for (const host of [NAME, PUBLIC_V4, `[${PUBLIC_V6}]`]) {
			expect((await checked(() => fetch(`http://${host}:${port.http}/`))).status).toBe(200);
		}
		expect(network.targets).toEqual([PUBLIC_V6, PUBLIC_V4, PUBLIC_V4, PUBLIC_V6]);
		expect(seen.requests.map(({ headers }) => headers.host)).toEqual(
			[NAME, PUBLIC_V4, `[${PUBLIC_V6}]`].map((host) => `${host}:${port.http}`),
		);
	});

	// threat 23
	it("reuses no connection of other calls", async () => {
		const network = fakeNetwork({ [NAME]: [["127.0.0.1"]] });
		const url = `http://${NAME}:${port.http}/`;
		expect(await (await fetch(url)).text()).toBe("ok");
		const unchecked = { signal: AbortSignal.timeout(60_000), publicHostsOnly: false };
		expect(await withBoundedFetch(unchecked, async () => (await fetch(url)).text())).toBe("ok");
		get(url, (response) => response.resume());
		await once(globalAgent, "free");
		onTestFinished(() => globalAgent.destroy());
		const before = { ...seen, requests: [...seen.requests] };
		network.targets.length = 0;
		await expect(checked(() => fetch(url))).rejects.toThrow(NOT_PUBLIC);
		expect(seen).toEqual(before);
		expect(network.targets).toEqual([]);
	});

	it("accepts the certificate of the name only, whatever the headers say", async () => {
		fakeNetwork({ [NAME]: [[PUBLIC_V4]], "other.example.com": [[PUBLIC_V4]] });
		const headers = { host: NAME };
		expect((await checked(() => fetch(`https://${NAME}:${port.https}/`))).status).toBe(200);
		expect((await checked(() => fetch(`https://${NAME}:${port.https}/`, { headers: { host: "a.test" } }))).status).toBe(
			200,
		);
		for (const host of ["other.example.com", PUBLIC_V4]) {
			await expect(checked(() => fetch(`https://${host}:${port.https}/`, { headers }))).rejects.toThrow(/altnames/);
		}
		expect(seen.serverNames.slice(0, 2)).toEqual([NAME, NAME]);
		expect(seen.requests.map((request) => request.headers.host)).toEqual(Array(2).fill(`${NAME}:${port.https}`));
	});

	it("sends and returns the same as fetch", async () => {
		fakeNetwork({ [NAME]: [[PUBLIC_V4]] });
		const bodies: string[] = [];
		respond = async (request, response) => {
			bodies.push(Buffer.concat(await request.toArray()).toString());
			response.writeHead(201, "Made", { "set-cookie": ["a=1", "b=2"], "content-type": "application/json" });
			response.end('{"a":"ü"}');
		};
		const url = `https://${NAME}:${port.https}/token?a=b`;
		const form = { method: "POST", headers: { authorization: "Basic eA==" }, body: new URLSearchParams({ code: "ü" }) };
		for (const call of [() => fetch(url, form), () => fetch(new Request(url, form)), () => fetch(new URL(url), form)]) {
			const response = await checked(call);
			expect([response.status, response.statusText, response.ok]).toEqual([201, "Made", true]);
			expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
			expect(await response.json()).toEqual({ a: "ü" });
		}
		expect(bodies).toEqual(Array(3).fill("code=%C3%BC"));
		for (const { method, url: path, headers } of seen.requests) {
			expect([method, path, headers.authorization]).toEqual(["POST", "/token?a=b", "Basic eA=="]);
			expect(headers["content-type"]).toBe("application/x-www-form-urlencoded;charset=UTF-8");
			expect([headers["content-length"], headers.accept, headers["user-agent"]]).toEqual(["11", "*/*", "node"]);
		}
	});

	it("follows no redirect, returns empty responses, and rejects invalid ones", async () => {
		fakeNetwork({ [NAME]: [[PUBLIC_V4]] });
		for (const [status, headers] of [
			[302, { location: "/elsewhere" }],
			[204, {}],
			[304, {}],
		] as const) {
			respond = (_request, response) => response.writeHead(status, headers).end();
			const response = await checked(() => fetch(`http://${NAME}:${port.http}/`, { redirect: "follow" }));
			expect([response.status, await response.text()]).toEqual([status, ""]);
		}
		expect(seen.requests.length).toBe(3);
		respond = ({ socket }) =>
			socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n");
		await expect(checked(() => fetch(`http://${NAME}:${port.http}/`))).rejects.toThrow("no response");
		respond = ({ socket }) => socket.end("HTTP/1.1 999 No\r\ncontent-length: 0\r\n\r\n");
		await expect(checked(() => fetch(`http://${NAME}:${port.http}/`))).rejects.toThrow(RangeError);
	});

	// threat 28
	it("reads at most 1 MB, compressed or not, and no unknown encoding", async () => {
		fakeNetwork({ [NAME]: [[PUBLIC_V4]] });
		const read = (encoding: string, sent: string | Buffer) => {
			respond = (_request, response) => response.writeHead(200, { "content-encoding": encoding }).end(sent);
			return checked(async () => (await fetch(`http://${NAME}:${port.http}/`)).text());
		};
		const [short, long] = ["x".repeat(900_000), "x".repeat(1_100_000)];
		expect((await read("identity", short)).length).toBe(900_000);
		expect((await read("gzip", gzipSync(short))).length).toBe(900_000);
		await expect(read("identity", long)).rejects.toThrow("too long");
		await expect(read("gzip", gzipSync(long))).rejects.toThrow("too long");
		await expect(read("br", "x")).rejects.toThrow("encoding");
		await expect(read("gzip", "not packed")).rejects.toThrow();
		const hungUp = new Promise((resolve) => {
			respond = (request, response) => {
				request.socket.once("close", resolve);
				const send = (): void => void response.write(long, send);
				send();
			};
		});
		await expect(checked(async () => (await fetch(`http://${NAME}:${port.http}/`)).text())).rejects.toThrow("too long");
		await hungUp;
	});

	// threat 28
	it("stops on abort: in the lookup, before and inside the response, and disconnects", async () => {
		const url = `http://${NAME}:${port.http}/`;
		const reason = new Error("out of time");
		const stop = new AbortController();
		fakeNetwork({ [NAME]: [[PUBLIC_V4]] });
		const inLookup = checked(() => fetch(url), stop.signal);
		stop.abort(reason);
		await expect(inLookup).rejects.toBe(reason);
		expect(seen.connections).toBe(0);
		for (const answer of [() => {}, (response: ServerResponse) => void response.writeHead(200).write("first")]) {
			const controller = new AbortController();
			const hungUp = new Promise((resolve) => {
				respond = (request, response) => {
					request.socket.once("close", resolve);
					answer(response);
					setImmediate(() => controller.abort(reason));
				};
			});
			await expect(checked(async () => (await fetch(url)).text(), controller.signal)).rejects.toThrow();
			await hungUp;
		}
	});

	it("supports http and https only, and blocks ports of other protocols", async () => {
		const network = fakeNetwork({ [NAME]: [[PUBLIC_V4]] });
		for (const url of [
			"data:text/plain,x",
			`ftp://${NAME}/`,
			"file:///etc/passwd",
			`https://${NAME}:25/`,
			`http://${NAME}:22/`,
		]) {
			await expect(
				checked(() => fetch(url)),
				url,
			).rejects.toThrow();
		}
		expect(network).toEqual({ lookups: [], targets: [] });
	});
});
