#!/usr/bin/env node
import { join } from "node:path";
import { run } from "./cli.ts";

try {
	await run(process.argv.slice(2), join(import.meta.dirname, "templates"));
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
