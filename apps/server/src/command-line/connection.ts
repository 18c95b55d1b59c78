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

/** Where the API is, and the key that opens it. */
export type Connection = { baseURL: string; key: string };

/** The variables that a client needs; whoever only manages has neither database nor secrets at hand. */
const NAMES = [
	"AUTH_URL",
	"BASE_PATH",
	"MANAGEMENT_KEY",
	"MANAGEMENT_KEY_FILE",
	"MANAGEMENT_KEYS",
	"MANAGEMENT_KEYS_FILE",
] as const;

/** Finds the server and the key in options and environment, and refuses to send the key where others can read it. */
export const readConnection = (options: ConnectionOptions, environment: Environment): Connection => {
	const mistakes: string[] = [];
	const given = readSecretFiles(Object.fromEntries(NAMES.map((name) => [name, environment[name]])), mistakes);
	const url = readURL(options.url ?? given.AUTH_URL, given.BASE_PATH);
	if (url.protocol === "http:" && !isLoopbackHost(url.hostname) && !options.insecure)
		throw new CommandError("INSECURE_URL", `${url.origin} is plain http: everybody on the way could read the key`, {
			mend: "Use https, or add --insecure where the network between is yours alone.",
		});
	const key = options.keyFile === undefined ? keyOf(given) : readKeyFile(options.keyFile);
	if (!key)
		throw new CommandError("KEY_MISSING", mistakes[0] ?? "There is no management key", {
			mend: "Set MANAGEMENT_KEY or MANAGEMENT_KEY_FILE, or give --key-file. It is one of the server's MANAGEMENT_KEYS.",
		});
	if (!/^[\x21-\x7e]+$/.test(key))
		throw new CommandError("KEY_INVALID", "The management key holds characters that no header can carry", {
			mend: "See that the file or variable holds the key alone, on one line.",
		});
	return { baseURL: `${url.origin}${url.pathname.replace(/\/$/, "")}`, key };
};

const readURL = (given: string | undefined, basePath: string | undefined): URL => {
	if (given === undefined)
		throw new CommandError("URL_MISSING", "Nothing says where the server is", {
			mend: "Give --url https://auth.example.com/api/auth, or set AUTH_URL.",
		});
	const url = URL.parse(given);
	if (!url || !["http:", "https:"].includes(url.protocol) || url.username || url.password || url.search || url.hash)
		throw new CommandError("URL_INVALID", "The server's address is not one of http or https alone", {
			mend: "Write it as https://auth.example.com, with or without its base path.",
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
		throw new CommandError("KEY_UNREADABLE", `The key file ${path} cannot be read`, {
			mend: "Check the path and who may read it.",
			cause,
		});
	}
};
