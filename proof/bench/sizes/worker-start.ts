import { Miniflare } from "miniflare";
import { type Bundle, bundleWorker } from "./bundle-worker.ts";
import { compareStarts, type Starts } from "./compare-starts.ts";
import { MANAGEMENT_KEY } from "./worker/management-key.ts";

const WORKERS = {
	empty: new URL("./worker/empty.ts", import.meta.url),
	bare: new URL("./worker/bare.ts", import.meta.url),
	ours: new URL("./worker/ours.ts", import.meta.url),
};
type WorkerName = keyof typeof WORKERS;
const NAMES = ["empty", "bare", "ours"] as const satisfies WorkerName[];

export type WorkerStarts = {
	bundles: Record<WorkerName, Omit<Bundle, "code">>;
	ok: Starts<WorkerName>;
	/** what a tenant's user got in workerd; null if it was the same as on Node */
	failure: string | null;
};

/**
 * Cold starts in workerd: from its process start until the worker responds to /ok. An empty worker shows workerd's own
 * part.
 */
export const measureWorkerStarts = async (rounds: number): Promise<WorkerStarts> => {
	const bundles = {
		empty: await bundleWorker(WORKERS.empty),
		bare: await bundleWorker(WORKERS.bare),
		ours: await bundleWorker(WORKERS.ours),
	};
	const { ok } = await compareStarts(NAMES, ["ok"] as const, rounds, async (name) => {
		const began = performance.now();
		const worker = startWorker(bundles[name]);
		try {
			await send(worker, "/ok");
			return { ok: performance.now() - began };
		} finally {
			await worker.dispose();
		}
	});
	const sizeOf = ({ bytes, gzipBytes }: Bundle) => ({ bytes, gzipBytes });
	return {
		bundles: { empty: sizeOf(bundles.empty), bare: sizeOf(bundles.bare), ours: sizeOf(bundles.ours) },
		ok,
		failure: await tryTenants(bundles.ours),
	};
};

const startWorker = ({ code }: Bundle): Miniflare =>
	new Miniflare({
		// listed explicitly, because automatic discovery fails on the engine's optional imports
		modules: [{ type: "ESModule", path: "worker.js", contents: code }],
		compatibilityDate: "2026-07-01",
		compatibilityFlags: ["nodejs_compat"],
	});

type Sent = { body?: object; headers?: Record<string, string> };

const send = async (worker: Miniflare, path: string, { body, headers = {} }: Sent = {}) => {
	const response = await worker.dispatchFetch(`http://localhost/api/auth${path}`, {
		method: body ? "POST" : "GET",
		headers: { origin: "http://localhost", ...(body ? { "content-type": "application/json" } : {}), ...headers },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	const text = await response.text();
	if (response.status !== 200) throw new Error(`${path} returned ${response.status} ${text}`);
	return { text, cookies: response.headers.getSetCookie() };
};

/** Checks that tenants work: signs a user up in one, and reads the session. */
const tryTenants = async (bundle: Bundle): Promise<string | null> => {
	const worker = startWorker(bundle);
	try {
		const made = await send(worker, "/tenant/create", {
			body: { name: "Acme", slug: "acme" },
			headers: { authorization: `Bearer ${MANAGEMENT_KEY}` },
		});
		const { id } = JSON.parse(made.text) as { id: string };
		const person = { name: "Ada", email: "ada@example.com", password: "correct horse battery" };
		const { cookies } = await send(worker, "/sign-up/email", { body: person, headers: { "x-tenant-id": id } });
		const cookie = cookies.map((line) => line.split(";")[0]).join("; ");
		const { text } = await send(worker, "/get-session", { headers: { cookie } });
		return text.includes(person.email) ? null : `/get-session returned ${text} after a sign-up`;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	} finally {
		await worker.dispose();
	}
};
