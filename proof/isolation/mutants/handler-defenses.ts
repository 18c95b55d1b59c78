import type { Defense } from "./defense.ts";

const TESTS = ["test/handler/tenant-handler.security.test.ts"];

/** Requests share a router, and nothing else. */
export const HANDLER_DEFENSES: Defense[] = [
	{
		id: "own-request-context",
		name: "All requests share the context of the instance",
		file: "handler/create-tenant-handler.ts",
		find: "const own = await createRequestContext(context, options, request);",
		replace: "const own = context;",
		caughtBy: "tests",
		files: TESTS,
		named: "a context of its own",
		threats: [94],
	},
	{
		id: "plugins-own-context",
		name: "Plugins receive one object for all requests",
		file: "handler/running-context.ts",
		find: 'name === "options" ? viewOptions(context.options) : Reflect.get(context, name)',
		replace: "Reflect.get(context, name)",
		caughtBy: "tests",
		files: TESTS,
		named: "a context of its own",
		threats: [94],
	},
	{
		id: "lost-request-context",
		name: "Code that lost its request gets a context of nobody instead of an error",
		file: "handler/running-context.ts",
		find: "const context = running.getStore();",
		replace: 'const context = running.getStore() ?? ({ baseURL: "https://a.example" } as AuthContext);',
		caughtBy: "tests",
		files: ["test/handler/running-context.security.test.ts"],
		named: "is nobody's outside of a request",
		threats: [94],
	},
	{
		id: "request-trusted-origins",
		name: "Origins that are trusted for one host are trusted in all requests",
		file: "handler/request-context.ts",
		find: /own\.trustedOrigins = await trustedOrigins\([^;]+;/,
		replace: "",
		caughtBy: "tests",
		files: ["test/handler/request-context.test.ts"],
		named: "functions of the request",
		threats: [94],
	},
	{
		id: "tested-engine-only",
		name: "Versions of the engine that were not tested are served by the shared router",
		file: "engine/tested-versions.ts",
		find: "!isOlder(NEWEST_TESTED, version)",
		replace: "version.length > 0",
		caughtBy: "tests",
		files: TESTS,
		named: "was not tested with",
		threats: [94],
	},
];
