import starlight from "@astrojs/starlight";
import { defineConfig } from "astro/config";
import { CODE_THEMES } from "./code-themes.ts";
import { GROUPS, LABELS } from "./sidebar.ts";
import { REPOSITORY, SITE } from "./site.ts";

const entryOf = (slug: string) => (LABELS[slug] === undefined ? slug : { slug, label: LABELS[slug] });

export default defineConfig({
	site: SITE,
	trailingSlash: "always",
	// its script visits every link of a page before the page can be used, which takes longer on a phone than a page loads
	prefetch: false,
	integrations: [
		starlight({
			title: "Better Auth Tenants",
			description: "Multi-tenant authentication for Better Auth. The same email in two tenants is two users.",
			logo: { src: "./src/assets/mark.svg", alt: "" },
			favicon: "/favicon.svg",
			customCss: ["./src/styles/site.css"],
			social: [{ icon: "github", label: "GitHub", href: REPOSITORY }],
			sidebar: GROUPS.map(({ label, slugs, collapsed = false }) => ({ label, collapsed, items: slugs.map(entryOf) })),
			tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
			// guides before long tables that contain every word
			pagefind: { ranking: { pageLength: 1, termFrequency: 0.5, termSaturation: 1.5 } },
			// lines that wrap need no scrolling, which keyboards cannot do
			expressiveCode: { themes: CODE_THEMES, defaultProps: { wrap: true } },
		}),
	],
});
