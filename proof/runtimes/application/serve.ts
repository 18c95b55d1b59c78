import { Pool } from "pg";
import { createApp } from "./app.ts";

type Fetch = (request: Request) => Promise<Response>;
type Native = {
	Bun?: { serve(options: { port: number; hostname: string; idleTimeout: number; fetch: Fetch }): unknown };
	Deno?: { serve(options: { port: number; hostname: string }, fetch: Fetch): unknown };
};

const environment = (name: string): string => process.env[name] ?? "";
const port = Number(environment("PORT"));
const hostname = "127.0.0.1";
const app = createApp(new Pool({ connectionString: environment("DATABASE_URL"), max: 10 }), {
	origin: `http://${hostname}:${port}`,
	secret: environment("SECRET"),
	managementKey: environment("MANAGEMENT_KEY"),
	hasTransactions: true,
});

/** Each runtime's own server, as an application would use it. */
const { Bun, Deno } = globalThis as Native;
if (Bun) Bun.serve({ port, hostname, idleTimeout: 60, fetch: app });
else if (Deno) Deno.serve({ port, hostname }, app);
else {
	const { createServer } = await import("node:http");
	const { toNodeHandler } = await import("better-auth/node");
	createServer(toNodeHandler(app)).listen(port, hostname);
}
