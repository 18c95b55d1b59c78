import { fileURLToPath } from "node:url";

/** The command line of the service under test. */
export const SERVICE_MAIN = fileURLToPath(import.meta.resolve("server/dist/main.js"));
