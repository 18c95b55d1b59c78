import { askOk, enter, optionsOf } from "./node-engine.ts";

// One cold start in a separate process: an application's imports, its engine, and its first responses.
const [file = "", plugin, tenantId] = process.argv.slice(2);

const began = performance.now();
const { betterAuth } = await import("better-auth");
const { default: Database } = await import("better-sqlite3");
const ours = plugin ? ((await import(plugin)) as typeof import("better-auth-tenants")) : null;
const imported = performance.now() - began;
const { handler } = betterAuth(optionsOf(new Database(file), ours ? [ours.tenantAuth()] : []));
await askOk(handler);
const ok = performance.now() - began;
await enter(handler, "sign-in", tenantId);
const signIn = performance.now() - began;
process.stdout.write(JSON.stringify({ imported, ok, signIn }));
