import { writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

type Theme = "light" | "dark";
type Colors = Record<"page" | "ink" | "soft" | "line" | "box" | "acme" | "acmeSoft" | "globex" | "globexSoft", string>;

const COLORS: Record<Theme, Colors> = {
	light: {
		page: "#ffffff",
		ink: "#1f2328",
		soft: "#59636e",
		line: "#818b98",
		box: "#f6f8fa",
		acme: "#0969da",
		acmeSoft: "#ddf0ff",
		globex: "#8250df",
		globexSoft: "#f3ebff",
	},
	dark: {
		page: "#0d1117",
		ink: "#f0f6fc",
		soft: "#9198a1",
		line: "#656c76",
		box: "#151b23",
		acme: "#58a6ff",
		acmeSoft: "#0c2440",
		globex: "#be8fff",
		globexSoft: "#271a45",
	},
};

const SANS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

const TITLE = "One address, two tenants, two users";
const DESCRIPTION =
	"Ada signs in with the same email at acme.example.com and globex.example.com. The plugin pins each request to its tenant. Better Auth then reads and writes only that tenant's users, sessions, secrets and providers.";

const text = (x: number, y: number, kind: string, words: string, anchor = "start"): string =>
	`<text x="${x}" y="${y}" class="${kind}" text-anchor="${anchor}">${words}</text>`;

const box = (x: number, y: number, width: number, height: number, kind: string): string =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" class="${kind}"/>`;

const arrow = (path: string, kind: string): string =>
	`<path d="${path}" class="way ${kind}" marker-end="url(#${kind})"/>`;

type Tenant = { name: string; user: string; provider: string; y: number };

/** One tenant's way, left to right: the page, the pinned request, what Better Auth can reach. */
const lane = ({ name, user, provider, y }: Tenant): string[] => [
	box(24, y, 262, 96, "box"),
	text(44, y + 30, `host ${name}Text`, `${name}.example.com`),
	text(44, y + 57, "email", "ada@example.com"),
	text(44, y + 80, "small", name === "acme" ? "correct horse battery" : "a different password"),
	arrow(`M286 ${y + 48}H372`, name),
	box(676, y, 300, 96, name),
	text(696, y + 30, "name", `user ${user}`),
	text(696, y + 53, "small", "own password, sessions, second factors"),
	text(696, y + 76, "small", provider),
	arrow(`M590 ${y + 48}H674`, name),
];

const style = (colors: Colors): string => `
	text { font-family: ${SANS}; fill: ${colors.ink}; }
	.title { font-size: 17px; font-weight: 600; }
	.host { font-size: 15px; font-weight: 600; }
	.name { font-size: 15px; font-weight: 600; }
	.email { font-family: ${MONO}; font-size: 14px; }
	.small { font-size: 13px; fill: ${colors.soft}; }
	.acmeText { fill: ${colors.acme}; }
	.globexText { fill: ${colors.globex}; }
	.box { fill: ${colors.box}; stroke: ${colors.line}; }
	rect.acme { fill: ${colors.acmeSoft}; stroke: ${colors.acme}; }
	rect.globex { fill: ${colors.globexSoft}; stroke: ${colors.globex}; }
	.way { fill: none; stroke-width: 2; }
	path.acme { stroke: ${colors.acme}; }
	path.globex { stroke: ${colors.globex}; }
	.inside { opacity: .45; }
	.wall { stroke: ${colors.line}; stroke-dasharray: 4 4; }`;

const marker = (id: string, color: string): string =>
	`<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="6" markerHeight="6" orient="auto"><path d="M0 0 10 5 0 10z" fill="${color}"/></marker>`;

/** Draws the idea of the package for people who see it for the first time. */
export const drawIdea = (theme: Theme): string => {
	const colors = COLORS[theme];
	const parts = [
		...lane({ name: "acme", user: "17", provider: "Google with Acme's credentials", y: 28 }),
		...lane({ name: "globex", user: "42", provider: "Okta, for globex.com only", y: 158 }),
		box(374, 40, 216, 202, "box"),
		`<path d="M374 76H590" class="way acme inside"/>`,
		text(482, 108, "title", "tenantAuth()", "middle"),
		text(482, 127, "small", "one tenant for each request", "middle"),
		text(482, 164, "title", "Better Auth", "middle"),
		text(482, 183, "small", "every endpoint and plugin", "middle"),
		`<path d="M374 206H590" class="way globex inside"/>`,
		`<path d="M676 141H766M886 141H976" class="wall"/>`,
		text(826, 145.5, "small", "nothing crosses", "middle"),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 282" width="1000" height="282" role="img" aria-labelledby="title description">
<title id="title">${TITLE}</title>
<desc id="description">${DESCRIPTION}</desc>
<style>${style(colors)}
</style>
<defs>${marker("acme", colors.acme)}${marker("globex", colors.globex)}</defs>
<rect width="1000" height="282" rx="12" fill="${colors.page}"/>
${parts.join("\n")}
</svg>
`;
};

export const ideaPicture = (theme: Theme): string => join(FOLDER, `idea-${theme}.svg`);

/** `pnpm docs:architecture` draws both pictures. */
if (import.meta.main)
	for (const theme of ["light", "dark"] as const) writeFileSync(ideaPicture(theme), drawIdea(theme));
