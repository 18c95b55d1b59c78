import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { refuse, startGateway } from "./support/gateway.ts";
import { runCommand } from "./support/run-command.ts";

const KEY = "canary-key-0123456789abcdefghijklmnop";
const folder = mkdtempSync(join(tmpdir(), "tenants-connection-"));
afterAll(() => rmSync(folder, { recursive: true }));

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
	gateway = await startGateway("http://127.0.0.1:9");
});
beforeEach(() => {
	gateway.requests.length = 0;
	gateway.intercept((_seen, response) => {
		response.writeHead(200, { "content-type": "application/json" });
		return Boolean(response.end("[]"));
	});
});
afterEach(() => gateway.intercept(null));
afterAll(() => gateway.close());

const list = ["tenant", "list", "--json"];

describe("the key", () => {
	it("comes from --key-file, then MANAGEMENT_KEY or its file, then the first of MANAGEMENT_KEYS", async () => {
		const file = (name: string, key: string): string => {
			writeFileSync(join(folder, name), `${key}\n`);
			return join(folder, name);
		};
		const [one, two] = [file("one", "key-of-the-option"), file("two", "key-of-the-file")];
		const AUTH_URL = gateway.url;
		await runCommand([...list, "--key-file", one], { env: { AUTH_URL, MANAGEMENT_KEY: "key-of-the-variable" } });
		await runCommand(list, { env: { AUTH_URL, MANAGEMENT_KEY_FILE: two, MANAGEMENT_KEYS: "first,second" } });
		await runCommand(list, { env: { AUTH_URL, MANAGEMENT_KEYS: " first, second" } });
		expect(gateway.requests.map(({ authorization }) => authorization)).toEqual([
			"Bearer key-of-the-option",
			"Bearer key-of-the-file",
			"Bearer first",
		]);
	});

	it("is required, and not accepted as an argument", async () => {
		const none = await runCommand(list, { env: { AUTH_URL: gateway.url } });
		expect(none.error().code).toBe("KEY_MISSING");
		const unreadable = await runCommand([...list, "--key-file", join(folder, "nowhere")], {
			env: { AUTH_URL: gateway.url },
		});
		expect(unreadable.error().code).toBe("KEY_UNREADABLE");
		const argument = await runCommand([...list, "--key", KEY], { env: { AUTH_URL: gateway.url } });
		expect(argument.error().code).toBe("SECRET_AS_ARGUMENT");
		expect(argument.stderr).not.toContain(KEY);
		expect(gateway.requests).toEqual([]);
	});

	it("is not sent over plain http to another machine without --insecure", async () => {
		for (const AUTH_URL of ["http://auth.example.test", "http://10.1.2.3:3000", "http://127.0.0.1.example.test"]) {
			const refused = await runCommand(list, { env: { AUTH_URL, MANAGEMENT_KEY: KEY } });
			expect(refused.error()).toMatchObject({ code: "INSECURE_URL", fix: expect.stringContaining("--insecure") });
		}
		// with --insecure it tries, and the name does not resolve
		const env = { AUTH_URL: "http://auth.example.test", MANAGEMENT_KEY: KEY };
		expect((await runCommand([...list, "--insecure"], { env })).error().code).not.toBe("INSECURE_URL");
	});

	it("is not sent along a redirect, nor to the host of a next-page link", async () => {
		const strangers: (string | undefined)[] = [];
		const stranger = createServer((request, response) => {
			strangers.push(request.headers.authorization);
			response.end("[]");
		});
		await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
		const elsewhere = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
		const env = { AUTH_URL: gateway.url, MANAGEMENT_KEY: KEY };

		gateway.intercept((_seen, response) =>
			refuse(response, 307, "", { location: `${elsewhere}/api/auth/tenant/list` }),
		);
		const redirected = await runCommand(list, { env });
		expect(redirected.error().code).toBe("REDIRECTED");

		gateway.intercept(({ query }, response) => {
			const link = { link: `<${elsewhere}/api/auth/tenant/list?cursor=bmV4dA==>; rel="next"` };
			response.writeHead(200, { "content-type": "application/json", ...(query.has("cursor") ? {} : link) });
			return Boolean(response.end("[]"));
		});
		gateway.requests.length = 0;
		expect((await runCommand(list, { env })).code).toBe(0);
		expect(gateway.requests.map(({ query }) => query.get("cursor"))).toEqual([null, "bmV4dA=="]);
		expect(strangers).toEqual([]);
		stranger.close();
	});

	it("appears in no output of a failure, with and without DEBUG", async () => {
		gateway.intercept((_seen, response) => refuse(response, 500, "<html>broken</html>"));
		for (const DEBUG of ["", "1"])
			for (const AUTH_URL of [gateway.url, "http://127.0.0.1:9", "http://user:canary@127.0.0.1:9"]) {
				const failed = await runCommand(["tenant", "get", "some"], { env: { AUTH_URL, MANAGEMENT_KEY: KEY, DEBUG } });
				expect(failed.code).toBe(1);
				expect(failed.stdout + failed.stderr).not.toContain("canary");
				// the stack is shown only with DEBUG
				expect(/^\s+at /m.test(failed.stderr)).toBe(DEBUG === "1");
			}
	});
});

describe("the address", () => {
	it("is AUTH_URL with BASE_PATH, or --url with or without a path", async () => {
		const env = { MANAGEMENT_KEY: KEY };
		await runCommand(list, { env: { ...env, AUTH_URL: gateway.url, BASE_PATH: "/auth" } });
		await runCommand([...list, "--url", gateway.url], { env });
		await runCommand([...list, "--url", `${gateway.url}/deep/api/`], { env });
		expect(gateway.requests.map(({ path }) => path)).toEqual([
			"/auth/tenant/list",
			"/api/auth/tenant/list",
			"/deep/api/tenant/list",
		]);
		expect((await runCommand(list, { env })).error().code).toBe("URL_MISSING");
		expect((await runCommand([...list, "--url", "ftp://x"], { env })).error().code).toBe("URL_INVALID");
	});

	it("is reported with a fix if nothing responds or it is not the API", async () => {
		const env = { MANAGEMENT_KEY: KEY };
		const refused = await runCommand([...list, "--url", "http://127.0.0.1:9"], { env });
		expect(refused.error()).toEqual({
			code: "ECONNREFUSED",
			message: "Nothing is listening at 127.0.0.1:9",
			fix: "Start the server with `tenants serve`, or pass its address with --url.",
		});
		for (const [status, body, code] of [
			[200, "<html>Welcome to nginx</html>", "UNEXPECTED_ANSWER"],
			[200, '{"tenants":[]}', "UNEXPECTED_ANSWER"],
			[404, '{"code":"NOT_FOUND","requestId":"r-1"}', "ENDPOINT_NOT_FOUND"],
			[404, "", "ENDPOINT_NOT_FOUND"],
			[500, '{"code":"INTERNAL_SERVER_ERROR","requestId":"r-1"}', "INTERNAL_SERVER_ERROR"],
			[502, "<html>Bad gateway</html>", "UNEXPECTED_ANSWER"],
		] as const) {
			gateway.intercept((_seen, response) => refuse(response, status, body));
			const failed = await runCommand(["tenant", "create", "--name", "A", "--slug", "aa", "--json"], {
				env: { ...env, AUTH_URL: gateway.url },
			});
			expect(failed).toMatchObject({ code: 1, stdout: "" });
			expect(failed.error()).toMatchObject({ code, fix: expect.any(String) });
		}
	});
});

describe("messages from the server", () => {
	// a 7-bit and an 8-bit escape, a change of the reading direction, and a tag character outside of the first plane
	const tricks = "\u001b[2J\u009b31m\u202e\u{e0041}";

	it("do not reach the terminal unescaped, in errors, JSON or a stack", async () => {
		gateway.intercept((_seen, response) =>
			refuse(response, 500, { code: "BROKEN", message: `says ${tricks}`, requestId: `r-1${tricks}` }),
		);
		for (const args of [["tenant", "list"], list])
			for (const DEBUG of ["", "1"]) {
				const env = { AUTH_URL: gateway.url, MANAGEMENT_KEY: KEY, DEBUG };
				const { stderr, stdout } = await runCommand(args, { env });
				expect(stderr).toContain("BROKEN");
				expect(stderr + stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
				expect(stderr).not.toContain("r-1");
			}
		gateway.intercept((_seen, response) => refuse(response, 500, { code: "BROKEN", requestId: "r-1.a_b" }));
		const { stderr } = await runCommand(list, { env: { AUTH_URL: gateway.url, MANAGEMENT_KEY: KEY } });
		expect(stderr).toContain("r-1.a_b");
	});

	it("are unchanged after parsing the JSON", async () => {
		const now = new Date().toISOString();
		const name = `Acme ${tricks}`;
		const tenant = { id: "t1", slug: "acme", name, metadata: null, createdAt: now, updatedAt: now };
		gateway.intercept((_seen, response) => refuse(response, 200, JSON.stringify([tenant])));
		const listed = await runCommand(list, { env: { AUTH_URL: gateway.url, MANAGEMENT_KEY: KEY } });
		expect(listed.stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
		expect(listed.lines()).toMatchObject([{ name }]);
	});
});

describe("retrying", () => {
	const env = () => ({ AUTH_URL: gateway.url, MANAGEMENT_KEY: KEY });

	it("waits as long as a 429 asks for, by either header, and then continues", async () => {
		for (const header of ["retry-after", "x-retry-after"]) {
			let times: number[] = [];
			gateway.intercept((_seen, response) => {
				times.push(Date.now());
				if (times.length === 1) return refuse(response, 429, { message: "Too many" }, { [header]: "1" });
				response.writeHead(200, { "content-type": "application/json" });
				return Boolean(response.end("[]"));
			});
			expect((await runCommand(list, { env: env() })).code).toBe(0);
			expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(1_000);
			times = [];
		}
	});

	it("gives up on a 429 that asks for hours, and reports it", async () => {
		gateway.intercept((_seen, response) => refuse(response, 429, {}, { "retry-after": "86400" }));
		const failed = await runCommand(list, { env: env() });
		expect(failed.error()).toMatchObject({
			code: "TOO_MANY_REQUESTS",
			fix: expect.stringContaining("RATE_LIMIT_MAX"),
		});
		expect(gateway.requests).toHaveLength(1);
	});

	it("retries idempotent calls after a 503, and creates no second tenant", async () => {
		gateway.intercept((_seen, response) => {
			if (gateway.requests.length <= 2) return refuse(response, 503, { code: "STORE_UNAVAILABLE", message: "Not now" });
			response.writeHead(200, { "content-type": "application/json" });
			return Boolean(response.end("[]"));
		});
		expect((await runCommand(list, { env: env() })).code).toBe(0);
		expect(gateway.requests).toHaveLength(3);
		gateway.requests.length = 0;
		const made = await runCommand(["tenant", "create", "--name", "A", "--slug", "aa", "--json"], { env: env() });
		expect(made.error().code).toBe("STORE_UNAVAILABLE");
		expect(gateway.requests).toHaveLength(1);
	});
});
