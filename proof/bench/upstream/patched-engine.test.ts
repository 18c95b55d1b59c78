import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { BetterAuthPlugin } from "better-auth";
import { createAuthEndpoint } from "better-auth/api";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { copyEngine } from "./copy-engine.ts";
import type { EngineCopy } from "./engine-copy.ts";
import { PATCHES } from "./patches.ts";

describe("Better Auth with the patches of docs/upstream", () => {
	let folder = "";
	let copy: EngineCopy;
	beforeAll(async () => {
		folder = mkdtempSync(join(tmpdir(), "upstream-patched-"));
		copy = await import(pathToFileURL(copyEngine(folder, PATCHES)).href);
		// it copies and loads all of Better Auth
	}, 60_000);
	afterAll(() => rmSync(folder, { recursive: true }));

	/** Counts how often its endpoints and tables are read. */
	const counting = (together: () => Promise<void>) => {
		const reads = { endpoints: 0, schema: 0 };
		const endpoints = {
			where: createAuthEndpoint("/where", { method: "GET" }, async (ctx) => {
				await together();
				return ctx.json({ baseURL: ctx.context.baseURL, trusted: ctx.context.trustedOrigins });
			}),
		};
		const plugin: BetterAuthPlugin = {
			id: "counting",
			get endpoints() {
				reads.endpoints += 1;
				return endpoints;
			},
			get schema() {
				reads.schema += 1;
				return {};
			},
		};
		return { reads, plugin };
	};

	const start = (together: () => Promise<void> = async () => undefined) => {
		const { reads, plugin } = counting(together);
		const auth = copy.betterAuth({
			baseURL: { allowedHosts: ["*.example.com"], protocol: "http" },
			secret: "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe",
			trustedOrigins: (request) => [`https://only-for.${new URL(request?.url ?? "http://none").host}`],
			emailAndPassword: { enabled: true },
			plugins: [plugin],
		});
		return { auth, reads };
	};

	it("gives concurrent requests to two hosts their own contexts", async () => {
		let arrive = (): void => undefined;
		const arrived = new Promise<void>((resolve) => {
			arrive = resolve;
		});
		let waiting = 0;
		const { auth } = start(async () => {
			waiting += 1;
			if (waiting === 2) arrive();
			await arrived;
		});
		const ask = async (host: string): Promise<unknown> =>
			(await auth.handler(new Request(`http://${host}/api/auth/where`))).json();
		const [acme, globex] = await Promise.all([ask("acme.example.com"), ask("globex.example.com")]);
		expect(acme).toMatchObject({
			baseURL: "http://acme.example.com/api/auth",
			trusted: expect.arrayContaining(["https://only-for.acme.example.com"]),
		});
		expect(globex).toMatchObject({ baseURL: "http://globex.example.com/api/auth" });
		expect(JSON.stringify(acme)).not.toContain("globex");
		expect(JSON.stringify(globex)).not.toContain("acme");
	});

	it("reads endpoints and tables of plugins for the first requests only", async () => {
		const { auth, reads } = start();
		const signUp = async (host: string, number: number): Promise<void> => {
			const origin = `http://${host}`;
			const response = await auth.handler(
				new Request(`${origin}/api/auth/sign-up/email`, {
					method: "POST",
					headers: { origin, "content-type": "application/json" },
					body: JSON.stringify({ name: "Ada", email: `ada-${number}@example.com`, password: "correct horse battery" }),
				}),
			);
			expect(response.status).toBe(200);
		};
		await signUp("acme.example.com", 0);
		const before = { ...reads };
		await signUp("acme.example.com", 1);
		await signUp("globex.example.com", 2);
		expect(reads).toEqual(before);
	});
});
