import { Session } from "node:inspector/promises";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { betterAuth } from "better-auth";
import { getMigrations } from "better-auth/db/migration";
import { createTenantHandler, tenantAuth } from "better-auth-tenants";
import Sqlite from "better-sqlite3";

// Which files of the package a request runs: how much of it one has to read to follow the request.
//
//   pnpm files-per-request [--list]

const SOURCE = fileURLToPath(new URL("../../../packages/tenants/src/", import.meta.url));
const ORIGIN = "http://localhost:3000";
const KEY = "files-per-request-0123456789abcdef";

const auth = betterAuth({
	baseURL: ORIGIN,
	secret: "files-per-request-secret-0123456789",
	database: new Sqlite(":memory:"),
	emailAndPassword: { enabled: true },
	logger: { disabled: true },
	plugins: [tenantAuth({ management: { keys: [KEY] } })],
});
await (await getMigrations(auth.options)).runMigrations();
const handler = createTenantHandler(auth);

const call = async (path: string, { body, headers = {} }: { body?: object; headers?: Record<string, string> } = {}) => {
	const response = await handler(
		new Request(`${ORIGIN}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: { origin: ORIGIN, ...(body ? { "content-type": "application/json" } : {}), ...headers },
			...(body ? { body: JSON.stringify(body) } : {}),
		}),
	);
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return response;
};

const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });

/** The files of which a function ran while `act` did. */
const filesOf = async (act: () => Promise<unknown>): Promise<string[]> => {
	await session.post("Profiler.takePreciseCoverage");
	await act();
	const { result } = await session.post("Profiler.takePreciseCoverage");
	return result
		.filter(({ url }) => url.startsWith("file:") && fileURLToPath(url).startsWith(SOURCE))
		.filter(({ functions }) => functions.some(({ ranges }) => (ranges[0]?.count ?? 0) > 0))
		.map(({ url }) => relative(SOURCE, fileURLToPath(url)))
		.sort();
};

const operator = { authorization: `Bearer ${KEY}` };
const created = await call("/tenant/create", { body: { name: "Acme", slug: "acme" }, headers: operator });
const { id: tenantId } = (await created.json()) as { id: string };
const account = { email: "ada@example.com", password: "correct horse battery" };
const tenant = { "x-tenant-id": tenantId };
await call("/sign-up/email", { body: { name: "Ada", ...account }, headers: tenant });
const signIn = () => call("/tenant/sign-in/email", { body: { ...account, tenantId } });
const cookie = (await signIn()).headers
	.getSetCookie()
	.map((one) => one.split(";")[0])
	.join("; ");
const check = () => call("/get-session", { headers: { cookie } });
await check();

for (const [name, act] of [
	["POST /tenant/sign-in/email", signIn],
	["GET /get-session", check],
] as const) {
	const files = await filesOf(act);
	console.log(
		`${name} runs ${files.length} files in ${new Set(files.map((file) => file.split("/").slice(0, -1).join("/"))).size} folders`,
	);
	if (process.argv.includes("--list")) for (const file of files) console.log(`  ${file}`);
}
