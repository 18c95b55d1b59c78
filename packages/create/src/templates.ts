/** A template: a folder of `examples/`, packed by `scripts/pack-templates.ts`. */
export type Template = {
	name: string;
	title: string;
	/** The commands that start it, after `cd`. */
	steps: string[];
};

const START = ["npm run seed", "npm run dev"];

/** The templates, in the order in which they are offered. */
export const TEMPLATES: Template[] = [
	{ name: "hono-react", title: "Hono, React and SQLite, with custom domains", steps: ["npm install", ...START] },
	{
		name: "nextjs",
		title: "Next.js, Drizzle and PostgreSQL, with subdomains",
		steps: ["npm install", "docker compose up --detach --wait", ...START],
	},
	{ name: "sveltekit", title: "SvelteKit and SQLite, with subdomains", steps: ["npm install", ...START] },
	{
		name: "cloudflare-workers",
		title: "Cloudflare Workers and D1, with subdomains",
		steps: ["npm install", ...START],
	},
	{
		name: "express-kysely",
		title: "Express, Kysely and PostgreSQL, with subdomains",
		steps: ["npm install", "docker compose up --detach --wait", ...START],
	},
];
