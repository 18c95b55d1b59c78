import { globSync } from "node:fs";
import { join } from "node:path";

/** The root of the repository. */
export const ROOT = join(import.meta.dirname, "../../..");

/** A Markdown file of the repository that is a page of the site. */
export type Page = {
	/** relative to the repository, such as docs/hosts.md */
	source: string;
	/** the page's path on the site without slashes at its ends */
	slug: string;
};

/** Files outside of docs/ that are pages too. */
const OTHERS: Page[] = [
	{ source: "packages/tenants/README.md", slug: "quick-start" },
	{ source: "examples/README.md", slug: "examples" },
	{ source: "apps/server/README.md", slug: "server" },
	{ source: "ARCHITECTURE.md", slug: "architecture" },
	{ source: "CONTRIBUTING.md", slug: "contributing" },
	{ source: "SECURITY.md", slug: "security" },
];

/** Every page. A new file in docs/ becomes a page by itself; the sidebar must name it. */
export const findPages = (root = ROOT): Page[] => [
	...OTHERS,
	...globSync("docs/**/*.md", { cwd: root })
		.filter((source) => !source.startsWith("docs/upstream/published/"))
		.toSorted()
		.map((source) => ({ source, slug: slugOf(source) })),
];

/** `docs/start/hono.md` is `start/hono`, and `docs/reference/README.md` is `reference`. */
const slugOf = (source: string): string =>
	source
		.replace(/^docs\//, "")
		.replace(/\/README\.md$/, "")
		.replace(/\.md$/, "")
		.toLowerCase();
