/** A door of the site: what one kind of reader comes for. Each entry is the slug of a page. */
export type Group = { label: string; slugs: string[]; collapsed?: boolean };

/** Shorter than the titles of the pages, where the group says the rest. */
export const LABELS: Record<string, string> = {
	"quick-start": "Quick start",
	start: "Frameworks",
	server: "Overview",
	reference: "Overview",
	evidence: "All evidence",
};

/** The most links that a reader has to look through. */
const MOST_LINKS = 45;

/**
 * The doors, in the order of a reader who begins. A page that is in none must be listed by one that is, see `LISTS`. Evidence is for
 * those who decide, not for those who look for what to do, so it is closed.
 */
export const GROUPS: Group[] = [
	{
		label: "Start",
		slugs: ["quick-start", "start", "guides/b2b", "examples", "moving-in", "alternatives", "faq", "troubleshooting"],
	},
	{
		label: "Build",
		slugs: [
			"concepts/data-model",
			"concepts/tenant-resolution",
			"concepts/sessions",
			"concepts/platform",
			"hosts",
			"guides/email-flows",
			"guides/social-sign-in",
			"sso",
			"react",
			"guides/management",
			"administration",
			"invitations",
			"policy",
			"second-factor",
			"operators",
			"lifecycle",
			"plugins",
			"tokens",
			"guides/row-level-data",
			"database",
			"testing",
		],
	},
	{
		label: "Run",
		slugs: [
			"server",
			"deploying",
			"sign-in-pages",
			"console",
			"guides/oidc-client",
			"mail",
			"rotation",
			"upgrades",
			"runbook",
			"scale",
		],
	},
	{
		label: "Reference",
		slugs: ["reference", "reference/options", "reference/endpoints", "reference/error-codes", "limits"],
	},
	{ label: "Evidence", slugs: ["evidence"], collapsed: true },
];

/** The pages that list others, and which. A test looks for the links. */
const LISTS: Record<string, RegExp> = {
	start: /^start\//,
	database: /^guides\/(kysely|drizzle|prisma|redis)$/,
	"moving-in": /^(transfer|guides\/from-.+)$/,
	faq: /^guides\/organization-or-tenant$/,
	"guides/social-sign-in": /^providers$/,
	providers: /^providers\//,
	server: /^(service-plugins|jobs|slo|runbooks\/.+)$/,
	reference: /^reference\/(?!options-)[^/]+$/,
	"reference/options": /^reference\/options-/,
	evidence:
		/^(isolation|threat-model|namespaces|stored-values|conformance|service|performance|runtimes|engine-versions|upstream|decisions|architecture|contributing|security|site)$/,
	decisions: /^decisions\//,
	"threat-model": /^threats\//,
};

/** Long tables that contain every word, and history: found by their list, and not by somebody who looks for what to do. */
const EVIDENCE =
	/^(evidence|isolation|threat-model|threats\/.+|namespaces|stored-values|conformance|service|performance|upstream|decisions|decisions\/.+|architecture|contributing|site)$/;

export const isInSearch = (slug: string): boolean => !EVIDENCE.test(slug);

/** The page that lists this one. Undefined if the sidebar has it. */
export const listOf = (slug: string): string | undefined =>
	GROUPS.some(({ slugs }) => slugs.includes(slug))
		? undefined
		: Object.keys(LISTS).find((list) => list !== slug && LISTS[list]?.test(slug));

/** A page, and the pages below it, in the order of `slugs`. */
export const withListed = (slug: string, slugs: string[]): string[] => [
	slug,
	...slugs.filter((other) => listOf(other) === slug).flatMap((other) => withListed(other, slugs)),
];

/** Compares the groups with the pages that exist. Returns what to correct. */
export const checkSidebar = (slugs: string[]): string[] => {
	const named = GROUPS.flatMap((group) => group.slugs);
	return [
		...[...named, ...Object.keys(LISTS)]
			.filter((slug) => !slugs.includes(slug))
			.map((slug) => `sidebar.ts names ${slug}, which is no page. Remove it`),
		...slugs
			.filter((slug) => !named.includes(slug) && listOf(slug) === undefined)
			.map((slug) => `The page ${slug} is in no group. Add it to GROUPS or LISTS in apps/docs/sidebar.ts`),
		...named
			.filter((slug, index) => named.indexOf(slug) !== index)
			.map((slug) => `sidebar.ts names ${slug} twice. Remove one`),
		...(named.length > MOST_LINKS ? [`The sidebar has ${named.length} links. List some on a page, see LISTS`] : []),
	];
};
