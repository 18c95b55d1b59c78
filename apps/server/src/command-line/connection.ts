import { readFileSync } from "node:fs";
import { isLoopbackHost } from "@better-auth/core/utils/host";
import { httpSection } from "../config/http.ts";
import { type Environment, readSecretFiles } from "../config/secret-files.ts";
import { CommandError } from "./command-error.ts";

export type ConnectionOptions = {
	url?: string | undefined;
	keyFile?: string | undefined;
	insecure?: boolean | undefined;
};

/** The address of the API, and the management key. */
export type Connection = { baseURL: string; key: string };

/** The variables that a client needs. It requires neither the database nor the secrets. */
const NAMES = [
	"AUTH_URL",
	"BASE_PATH",
	"MANAGEMENT_KEY",
	"MANAGEMENT_KEY_FILE",
	"MANAGEMENT_KEYS",
	"MANAGEMENT_KEYS_FILE",
] as const;

/**
 * Reads the server's address and key from options and environment. Refuses to send the key over an insecure connection.
 */
export const readConnection = (options: ConnectionOptions, environment: Environment): Connection => {
	const mistakes: string[] = [];
	const given = readSecretFiles(Object.fromEntries(NAMES.map((name) => [name, environment[name]])), mistakes);
	const url = readURL(options.url ?? given.AUTH_URL, given.BASE_PATH);
	if (url.protocol === "http:" && !isLoopbackHost(url.hostname) && !options.insecure)
		throw new CommandError("INSECURE_URL", `${url.origin} uses plain http, so the key could be read in transit`, {
			fix: "Use https, or add --insecure if you trust the network in between.",
		});
	const key = options.keyFile === undefined ? keyOf(given) : readKeyFile(options.keyFile);
	if (!key)
		throw new CommandError("KEY_MISSING", mistakes[0] ?? "No management key is set", {
			fix: "Set MANAGEMENT_KEY or MANAGEMENT_KEY_FILE, or pass --key-file. The key must be one of the server's MANAGEMENT_KEYS.",
		});
	if (!/^[\x21-\x7e]+$/.test(key))
		throw new CommandError("KEY_INVALID", "The management key contains characters that are not allowed in a header", {
			fix: "Make sure that the file or variable contains only the key, on one line.",
		});
	return { baseURL: `${url.origin}${url.pathname.replace(/\/$/, "")}`, key };
};

const readURL = (given: string | undefined, basePath: string | undefined): URL => {
	if (given === undefined)
		throw new CommandError("URL_MISSING", "The server's address is not set", {
			fix: "Pass --url https://auth.example.com/api/auth, or set AUTH_URL.",
		});
	const url = URL.parse(given);
	if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.search || url.hash)
		throw new CommandError("URL_INVALID", "The server's address is not a plain http or https URL", {
			fix: "Use https://auth.example.com, with or without the base path.",
		});
	if (url.pathname === "/") url.pathname = basePath ?? httpSection.variables.BASE_PATH.parse(undefined);
	return url;
};

const keyOf = ({ MANAGEMENT_KEY, MANAGEMENT_KEYS }: Record<string, string>): string | undefined =>
	(MANAGEMENT_KEY ?? MANAGEMENT_KEYS?.split(",").find((key) => key.trim() !== ""))?.trim();

const readKeyFile = (path: string): string => {
	try {
		return readFileSync(path, "utf8").trim();
	} catch (cause) {
		throw new CommandError("KEY_UNREADABLE", `Cannot read the key file ${path}`, {
			fix: "Check the path and its permissions.",
			cause,
		});
	}
};
