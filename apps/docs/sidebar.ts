/** A group of the sidebar. Each entry is the slug of a page. */
export type Group = { label: string; slugs: string[]; collapsed?: boolean };

/** Shorter than the titles of the pages, where the group says the rest. */
export const LABELS: Record<string, string> = {
	"quick-start": "Quick start",
	server: "Overview",
	"start/nextjs": "Next.js",
	"start/hono": "Hono",
	"start/express": "Express",
	"start/fastify": "Fastify",
	"start/sveltekit": "SvelteKit",
	"start/nuxt": "Nuxt",
	"start/tanstack-start": "TanStack Start",
	"start/cloudflare-workers": "Cloudflare Workers",
	reference: "Overview",
};

/** Pages in the order of a reader who begins. A page that is in no group fails the build. */
export const GROUPS: Group[] = [
	{ label: "Start here", slugs: ["quick-start", "examples", "alternatives", "faq", "troubleshooting"] },
	{
		label: "Frameworks",
		slugs: [
			"start/nextjs",
			"start/hono",
			"start/express",
			"start/fastify",
			"start/sveltekit",
			"start/nuxt",
			"start/tanstack-start",
			"start/cloudflare-workers",
		],
	},
	{
		label: "Concepts",
		slugs: ["concepts/data-model", "concepts/tenant-resolution", "concepts/sessions", "concepts/platform"],
	},
	{
		label: "Guides",
		slugs: [
			"guides/b2b",
			"hosts",
			"guides/custom-domains",
			"guides/email-flows",
			"guides/social-sign-in",
			"react",
			"providers",
			"sso",
			"plugins",
			"tokens",
			"guides/organization-or-tenant",
			"guides/row-level-data",
			"testing",
		],
	},
	{
		label: "Operating",
		slugs: [
			"guides/management",
			"administration",
			"invitations",
			"policy",
			"second-factor",
			"operators",
			"lifecycle",
			"guides/impersonation",
			"transfer",
		],
	},
	{
		label: "Databases",
		slugs: ["database", "guides/kysely", "guides/drizzle", "guides/prisma", "guides/redis", "rotation"],
	},
	{ label: "Moving in", slugs: ["moving-in", "guides/from-auth0", "guides/from-clerk"] },
	{
		label: "Reference",
		slugs: [
			"reference",
			"reference/options",
			"reference/endpoints",
			"reference/exports",
			"reference/error-codes",
			"reference/startup-errors",
			"reference/tables",
			"reference/environment-variables",
			"reference/cli",
			"reference/metrics",
		],
	},
	{
		label: "The service",
		slugs: [
			"server",
			"deploying",
			"sign-in-pages",
			"guides/oidc-client",
			"console",
			"service-plugins",
			"mail",
			"jobs",
			"upgrades",
			"runbook",
			"runbooks/backup-and-restore",
			"slo",
			"scale",
		],
	},
	{
		label: "Proof",
		slugs: [
			"isolation",
			"threat-model",
			"namespaces",
			"stored-values",
			"conformance",
			"service",
			"performance",
			"runtimes",
			"engine-versions",
			"limits",
			"upstream",
		],
	},
	{ label: "Project", slugs: ["architecture", "contributing", "security", "decisions", "site"] },
];

/** Pages that another page lists: they are found by search and links. */
const LISTED = /^(decisions|providers|threats)\/|^reference\/options-/;

/** Compares the groups with the pages that exist. Returns what to correct. */
export const checkSidebar = (slugs: string[]): string[] => {
	const named = GROUPS.flatMap((group) => group.slugs);
	return [
		...named
			.filter((slug) => !slugs.includes(slug))
			.map((slug) => `sidebar.ts names ${slug}, which is no page. Remove it`),
		...slugs
			.filter((slug) => !named.includes(slug) && !LISTED.test(slug))
			.map((slug) => `The page ${slug} is in no group. Add it to GROUPS in apps/docs/sidebar.ts`),
		...named
			.filter((slug, index) => named.indexOf(slug) !== index)
			.map((slug) => `sidebar.ts names ${slug} twice. Remove one`),
	];
};
