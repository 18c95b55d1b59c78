import { fileURLToPath } from "node:url";
import { Miniflare, type Request, Response } from "miniflare";
import { Rolldown } from "tsdown";
import { expect, it, onTestFinished } from "vitest";

const ENTRY = fileURLToPath(new URL("./support/bounded-fetch-worker.ts", import.meta.url));

// threat 23
it.each([
	["without Node's modules", "2024-09-23", ["nodejs_als"]],
	["with Node's modules", "2026-07-01", ["nodejs_compat"]],
])("calls a name with workerd's fetch and no private address, %s", async (_, compatibilityDate, flags) => {
	const { output } = await Rolldown.build({
		input: ENTRY,
		platform: "neutral",
		external: [/^node:/],
		resolve: { conditionNames: ["workerd", "worker", "import", "default"] },
		output: { format: "esm", codeSplitting: false },
		write: false,
		logLevel: "silent",
	});
	const called: string[] = [];
	const worker = new Miniflare({
		modules: [{ type: "ESModule", path: "worker.js", contents: output[0].code }],
		compatibilityDate,
		compatibilityFlags: flags,
		outboundService: async (request: Request) => {
			called.push(`${request.method} ${request.url} ${await request.text()}`);
			return new Response("found", { status: 302, headers: { location: "http://127.0.0.1/" } });
		},
	});
	onTestFinished(() => worker.dispose());
	const call = async (url: string) => {
		const response = await worker.dispatchFetch("http://worker.test/", {
			method: "POST",
			body: url,
			redirect: "manual",
		});
		return { status: response.status, text: await response.text() };
	};
	for (const host of ["127.0.0.1", "[::1]", "[::ffff:168.63.129.16]", "169.254.169.254", "localhost"]) {
		expect(await call(`http://${host}/`)).toEqual({
			status: 500,
			text: "Error: The provider is not at a public address",
		});
	}
	expect(called).toEqual([]);
	expect(await call("https://idp.example.com/token")).toEqual({ status: 302, text: "found" });
	expect(called).toEqual(["POST https://idp.example.com/token sent"]);
});
