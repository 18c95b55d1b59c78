/** Packages that are one owner together. The others are named after themselves. */
const GROUPS: Record<string, string[]> = {
	"Better Auth": ["better-auth", "@better-auth/"],
	driver: ["pg", "pg-", "postgres-", "ioredis", "@ioredis/", "redis-"],
};
const PACKAGES = "/node_modules/";
const OURS = "/packages/tenants/src/";

/** Whose code a file is: a package, Node, one of this package's folders (`src/scope/data`), or the bench itself. */
export const ownerOf = (url: string): string => {
	if (url.startsWith("node:")) return "Node";
	const installed = packageOf(url);
	if (installed) return groupOf(installed) ?? installed;
	const ours = url.indexOf(OURS);
	if (ours === -1) return "bench";
	return [
		"src",
		...url
			.slice(ours + OURS.length)
			.split("/")
			.slice(0, -1),
	].join("/");
};

/** The package that a file is installed with. */
const packageOf = (url: string): string | null => {
	// pnpm's folders have several
	const at = url.lastIndexOf(PACKAGES);
	if (at === -1) return null;
	const [scope = "", name = ""] = url.slice(at + PACKAGES.length).split("/");
	return scope.startsWith("@") ? `${scope}/${name}` : scope;
};

const groupOf = (name: string): string | null => {
	for (const [group, members] of Object.entries(GROUPS))
		if (members.some((member) => (/[-/]$/.test(member) ? name.startsWith(member) : name === member))) return group;
	return null;
};

/** A file's path without the machine's folders. */
export const shortPath = (url: string): string => {
	const installed = url.lastIndexOf(PACKAGES);
	if (installed !== -1) return url.slice(installed + PACKAGES.length);
	const ours = url.indexOf(OURS);
	return ours === -1 ? url.slice(url.lastIndexOf("/") + 1) : `src/${url.slice(ours + OURS.length)}`;
};
