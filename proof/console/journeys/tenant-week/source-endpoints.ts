import { globSync, readFileSync } from "node:fs";
import { type Call, pathOf } from "./calls.ts";

const SOURCE = new URL("../../../../apps/console/src/", import.meta.url).pathname;

/** A call by the typed client, such as `authClient.tenant.user.setRole(`, or by a path with its options. */
const CALL = /\bauthClient\.(?:([a-zA-Z.]+)\(|\$fetch<[^(]*>\(\s*"([^"]+)"(?:, \{\s*method: "(\w+)")?)/g;

/** A use of the client that is no import and no definition. */
const USE = /\bauthClient\b(?! = | \})/g;

/** Actions whose path is not their name. */
const PATHS: Record<string, string> = { "tenant.listPage": "/tenant/list" };

/** An endpoint that the console calls. The method is known for calls by a path only. */
type SourceEndpoint = { path: string; method: string | null };

/** The endpoints below `/tenant` that the sources of the console call, and that none of the calls went to. */
export const findUncalled = (calls: Call[], isLeftOut: (path: string) => boolean): string[] =>
	readSourceEndpoints()
		.filter(({ path }) => !isLeftOut(path))
		.filter(({ path, method }) => !calls.some((one) => pathOf(one) === path && (method ?? one.method) === one.method))
		.map(({ path, method }) => (method ? `${method} ${path}` : path));

const readSourceEndpoints = (): SourceEndpoint[] => {
	const found = globSync("**/*.{ts,tsx}", { cwd: SOURCE }).flatMap((file) => {
		const text = readFileSync(`${SOURCE}${file}`, "utf8");
		const calls = [...text.matchAll(CALL)];
		const uses = [...text.matchAll(USE)].length;
		// a call in another form would be missed
		if (calls.length !== uses)
			throw new Error(`${file} uses authClient ${uses} times, and calls it ${calls.length} times`);
		return calls.map(([, action, path, method]) =>
			action ? { path: pathOfAction(action), method: null } : { path: path ?? "", method: method ?? "GET" },
		);
	});
	const unique = new Map(found.map((one) => [`${one.method} ${one.path}`, one]));
	return [...unique.values()].filter(({ path }) => path.startsWith("/tenant/"));
};

/** The path of an action, as Better Auth's client makes it. */
const pathOfAction = (action: string): string =>
	PATHS[action] ?? `/${action.replaceAll(".", "/").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
