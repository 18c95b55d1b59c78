import { execFileSync } from "node:child_process";
import * as z from "zod";

/** What a package registry knows about published packages. */
export type Registry = {
	versions: (name: string) => string[];
	/** The versions that a release of a package names for its dependencies. */
	dependencies: (name: string, version: string) => Record<string, string>;
};

/** One version is printed as a text, several as a list. */
const listed = z.union([z.string().transform((version) => [version]), z.array(z.string())]);

const view = (...given: string[]): unknown =>
	JSON.parse(
		execFileSync("npm", ["view", ...given, "--json"], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }),
	);

/** The registry that npm is configured with. */
export const npmRegistry: Registry = {
	versions: (name) => listed.parse(view(name, "versions")),
	dependencies: (name, version) => z.record(z.string(), z.string()).parse(view(`${name}@${version}`, "dependencies")),
};
