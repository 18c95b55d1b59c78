import { HOUSES } from "./scripts/floors.ts";

/** What may import what. Checked by `pnpm lint`; types count like values. */
const direction = (name, from, to, comment) => ({
	name,
	severity: "error",
	comment,
	from: { path: from },
	to: { path: to },
});

/** Floors of a house, the lowest first: each imports what is below it. Files beside the floors are entries, on top of all. */
const floors = (house, names) =>
	names.map((name, at) => {
		const above = [...names.slice(at + 1).map((one) => `${one}/`), "[^/]+$"].join("|");
		return direction(
			`floor-of-${house.split("/")[1]}-${name}`,
			`^${house}/${name}/`,
			`^${house}/(${above})`,
			`${name} is below what it imports. Hand it over from above, or move what both need down.`,
		);
	});

export default {
	forbidden: [
		{
			name: "no-cycle",
			severity: "error",
			comment: "Split the file that both need.",
			from: {},
			to: { circular: true },
		},
		{
			name: "no-missing",
			severity: "error",
			comment: "Name the package in the package.json of whoever imports it.",
			from: {},
			to: { couldNotResolve: true },
		},
		direction(
			"packages-first",
			"^packages/",
			"^(apps|proof|scripts|examples)/",
			"Packages know nothing of who uses them.",
		),
		direction("apps-not-proofs", "^apps/", "^(proof|scripts|examples)/", "Move what both need to packages/test-kit."),
		direction(
			"no-apps-in-scripts",
			"^scripts/(?!reference)",
			"^(apps|proof|examples)/",
			"Scripts know the repository, not its parts.",
		),
		direction(
			"no-proofs-in-reference",
			"^scripts/reference",
			"^(proof|examples)/",
			"The reference describes the package and the service.",
		),
		{
			name: "proofs-apart",
			severity: "error",
			comment: "Nobody imports a proof. Move what both need to packages/test-kit.",
			from: { path: "^proof/([^/]+)/" },
			to: { path: "^proof/", pathNot: "^proof/$1/" },
		},
		{
			name: "tests-stay-out",
			severity: "error",
			comment: "What is published or deployed imports no test and no test kit.",
			from: { path: "^(packages/(tenants|react)|apps/[^/]+)/src/" },
			to: { path: "^packages/test-kit/|/test/" },
		},
		{
			name: "types-only-in-components",
			severity: "error",
			comment:
				"The components reach the server through the client that they are given. Import types of the package only.",
			from: { path: "^packages/react/src/" },
			to: { path: "^packages/tenants/", dependencyTypesNot: ["type-only"] },
		},
		...Object.entries(HOUSES).flatMap(([house, names]) => floors(house, Object.keys(names))),
		{
			name: "one-holder-of-calls",
			severity: "error",
			comment: "Use defineCallPart of lib/call.ts, or a part of the request's record.",
			from: { path: "^packages/tenants/src/", pathNot: "^packages/tenants/src/lib/call\\.ts$" },
			to: { path: "^(node:)?async_hooks$" },
		},
		{
			name: "no-folder-cycle",
			severity: "error",
			comment: "Move what both folders need to the lower one, or to a floor below.",
			scope: "folder",
			from: { path: "^(packages/tenants|apps/server)/src/" },
			to: { path: "^(packages/tenants|apps/server)/src/", circular: true },
		},
	],
	options: {
		tsPreCompilationDeps: true,
		combinedDependencies: false,
		doNotFollow: { path: "node_modules" },
		exclude: { path: "/(dist|\\.mutants|\\.astro)/|^astro:" },
		tsConfig: { fileName: "tsconfig.json" },
		enhancedResolveOptions: {
			exportsFields: ["exports"],
			conditionNames: ["import", "node", "default", "types"],
			extensions: [".ts", ".tsx", ".js", ".mjs", ".json", ".d.ts"],
		},
	},
};
