import type { SplitPage } from "./split-page.ts";

/** A page as assistants read it. */
export type ReadPage = SplitPage & { slug: string };

/** A group of the sidebar with its pages. */
export type ReadGroup = { label: string; pages: ReadPage[] };

const INTRODUCTION = `# Better Auth Tenants

> Multi-tenant authentication for Better Auth. The same email in two tenants is two users, and every endpoint of Better Auth and its official plugins stays inside one tenant.

Each page is also available as Markdown: add .md to its path. /llms-full.txt has all of them.`;

/** The index for assistants (llmstxt.org): every page with its description. */
export const writeIndex = (groups: ReadGroup[], site: string): string =>
	[
		INTRODUCTION,
		...groups.map(({ label, pages }) =>
			[
				`## ${label}`,
				pages.map(({ title, description, slug }) => `- [${title}](${site}/${slug}.md): ${description}`).join("\n"),
			].join("\n\n"),
		),
		"",
	].join("\n\n");

/** One page as Markdown, with absolute links. */
export const writeCopy = ({ title, body }: ReadPage, site: string): string =>
	`# ${title}\n\n${body.replace(/(\]\()\/(?!\/)/g, `$1${site}/`)}\n`;

/** All pages in one file. */
export const writeAll = (groups: ReadGroup[], site: string): string =>
	groups.flatMap(({ pages }) => pages.map((page) => writeCopy(page, site))).join("\n---\n\n");
