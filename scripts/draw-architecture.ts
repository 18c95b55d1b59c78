import { writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "../docs/pictures");

type Palette = Record<"page" | "ink" | "soft" | "line" | "box" | "tenant" | "tenantLine" | "accent" | "other", string>;

export const PALETTES: Record<"light" | "dark", Palette> = {
	light: {
		page: "#ffffff",
		ink: "#1f2328",
		soft: "#59636e",
		line: "#818b98",
		box: "#f6f8fa",
		tenant: "#eef6ff",
		tenantLine: "#54aeff",
		accent: "#0969da",
		other: "#d1d9e0",
	},
	dark: {
		page: "#0d1117",
		ink: "#f0f6fc",
		soft: "#9198a1",
		line: "#656c76",
		box: "#151b23",
		tenant: "#0c1d33",
		tenantLine: "#1f6feb",
		accent: "#58a6ff",
		other: "#3d444d",
	},
};

type Stage = { x: number; title: string; text: string[]; files: string[] };

/** The path of a request, left to right. File names are relative to packages/tenants/src. */
const STAGES: Stage[] = [
	{
		x: 196,
		title: "resolve",
		text: ["Which tenant does", "the request name?"],
		files: ["resolve/hint.ts", "resolve/from-subdomain.ts", "resolve/tenant-id.ts"],
	},
	{
		x: 452,
		title: "scope",
		text: ["Decides the tenant once", "and pins the request to it."],
		files: ["scope/request/decide.ts", "scope/request/request-scope.ts", "endpoints/endpoints.ts"],
	},
	{
		x: 708,
		title: "endpoints",
		text: ["Thin: check, then call", "Better Auth."],
		files: ["features/email/sign-in-email.ts", "features/oauth/sign-in-social.ts", "features/tenants/create-tenant.ts"],
	},
];

/** The layers through which Better Auth reads and writes. */
const LAYER = [
	{ name: "adapter", text: "tables", file: "scope/data/adapter.ts" },
	{ name: "storage", text: "keys in Redis", file: "scope/data/storage.ts" },
	{ name: "secrets", text: "signatures", file: "scope/secrets/secrets.ts" },
	{ name: "sessions", text: "tokens", file: "scope/sessions/sessions.ts" },
	{ name: "providers", text: "credentials", file: "features/oauth/tenant-providers.ts" },
];

/** The files named in the picture. */
export const drawnFiles = [...STAGES.flatMap(({ files }) => files), ...LAYER.map(({ file }) => file)];

export const SANS =
	"-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif";
export const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

const BOX = { y: 96, width: 216, height: 176 };

const text = (x: number, y: number, kind: string, words: string, anchor = "start"): string =>
	`<text x="${x}" y="${y}" class="${kind}"${anchor === "start" ? "" : ` text-anchor="${anchor}"`}>${words}</text>`;

const box = (x: number, y: number, width: number, height: number, kind = "box"): string =>
	`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" class="${kind}"/>`;

const arrow = (path: string, kind = "arrow"): string =>
	`<path d="${path}" class="${kind}" marker-end="url(#${kind})"/>`;

const stage = ({ x, title, text: lines, files }: Stage, index: number): string[] => [
	box(x, BOX.y, BOX.width, BOX.height),
	`<circle cx="${x + 28}" cy="${BOX.y + 30}" r="12" class="badge"/>`,
	text(x + 28, BOX.y + 34.5, "number", String(index + 1), "middle"),
	text(x + 50, BOX.y + 36, "title", title),
	...lines.map((line, row) => text(x + 16, BOX.y + 66 + row * 20, "body", line)),
	...files.map((file, row) => text(x + 16, BOX.y + 118 + row * 19, "file", file.slice(file.lastIndexOf("/") + 1))),
];

const engine = (): string[] => [
	box(964, BOX.y, 196, BOX.height, "strong"),
	`<circle cx="992" cy="${BOX.y + 30}" r="12" class="badge"/>`,
	text(992, BOX.y + 34.5, "number", "4", "middle"),
	text(1014, BOX.y + 36, "title", "Better Auth"),
	...["Its own endpoints,", "hooks and plugins,", "unchanged. They do not", "know about tenants."].map((line, row) =>
		text(980, BOX.y + 66 + row * 20, "body", line),
	),
];

const layer = (): string[] => [
	box(452, 352, 708, 122),
	text(468, 381, "title", "scope"),
	text(540, 381, "body", "Everything Better Auth reads, writes, signs or calls"),
	...LAYER.flatMap(({ name, text: words }, index) => {
		const x = 468 + index * 137;
		return [
			box(x, 398, 128, 60, "chip"),
			text(x + 64, 424, "name", name, "middle"),
			text(x + 64, 444, "small", words, "middle"),
		];
	}),
];

/** A table with rows of many tenants. The request's tenant is highlighted. */
const stores = (): string[] => {
	const row = (x: number, y: number, own: boolean, words: string): string[] => [
		`<rect x="${x}" y="${y}" width="150" height="20" rx="4" class="${own ? "own" : "foreign"}"/>`,
		text(x + 10, y + 14.5, own ? "ownText" : "foreignText", words),
	];
	return [
		box(452, 556, 342, 118),
		text(468, 582, "name", "PostgreSQL, MariaDB, SQLite"),
		...row(468, 596, false, "globex  ada@…"),
		...row(468, 620, true, "acme    ada@…"),
		...row(468, 644, false, "initech ada@…"),
		text(634, 611, "small", "Out of reach"),
		text(634, 635, "smallAccent", "The pinned tenant"),
		text(634, 659, "small", "Out of reach"),
		box(812, 556, 156, 118),
		text(828, 582, "name", "Redis"),
		text(828, 610, "small", "Sessions, limits:"),
		text(828, 630, "small", "each key names"),
		text(828, 650, "small", "its tenant"),
		box(986, 556, 174, 118),
		text(1002, 582, "name", "Identity providers"),
		text(1002, 610, "small", "With the tenant's"),
		text(1002, 630, "small", "own credentials,"),
		text(1002, 650, "small", "and with limits"),
	];
};

const RULES = [
	"A request never changes its tenant.",
	"An endpoint that is not listed gets the",
	"strictest kind.",
	"An unknown table is refused.",
	"Another tenant's row returns the same",
	"status, code and body as a missing one.",
];

/** The lines that start a rule; the others continue it. */
const BEGINS = [true, true, false, true, true, false];

const rules = (): string[] => [
	text(48, 428, "name", "Deny by default"),
	...RULES.flatMap((line, index) => {
		const y = 454 + index * 20;
		return [
			...(BEGINS[index] ? [`<circle cx="53" cy="${y - 4.5}" r="3" class="badge"/>`] : []),
			text(68, y, "small", line),
		];
	}),
];

const style = (colors: Palette): string => `
	text { font-family: ${SANS}; fill: ${colors.ink}; }
	.title { font-size: 18px; font-weight: 600; }
	.body { font-size: 14px; fill: ${colors.soft}; }
	.name { font-size: 14px; font-weight: 600; }
	.small { font-size: 13px; fill: ${colors.soft}; }
	.smallAccent { font-size: 13px; font-weight: 600; fill: ${colors.accent}; }
	.file { font-family: ${MONO}; font-size: 12px; fill: ${colors.accent}; }
	.number { font-size: 13px; font-weight: 700; fill: ${colors.page}; }
	.zone { font-size: 13px; font-weight: 600; fill: ${colors.accent}; }
	.ownText { font-family: ${MONO}; font-size: 12px; fill: ${colors.page}; white-space: pre; }
	.foreignText { font-family: ${MONO}; font-size: 12px; fill: ${colors.soft}; white-space: pre; }
	.box { fill: ${colors.box}; stroke: ${colors.line}; }
	.strong { fill: ${colors.box}; stroke: ${colors.ink}; stroke-width: 1.5; }
	.chip { fill: ${colors.page}; stroke: ${colors.tenantLine}; }
	.tenant { fill: ${colors.tenant}; stroke: ${colors.tenantLine}; stroke-dasharray: 6 5; }
	.badge { fill: ${colors.accent}; }
	.own { fill: ${colors.accent}; }
	.foreign { fill: none; stroke: ${colors.other}; }
	.arrow { fill: none; stroke: ${colors.ink}; stroke-width: 1.6; }
	.back { fill: none; stroke: ${colors.line}; stroke-width: 1.6; stroke-dasharray: 4 4; }`;

const marker = (id: string, color: string): string =>
	`<marker id="${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="${color}"/></marker>`;

const TITLE = "The path of a request";
const DESCRIPTION =
	"A request is resolved to a tenant hint, pinned to one tenant by scope, handled by a thin endpoint and passed to Better Auth, which reaches the database, Redis and identity providers only through scope.";

/** Draws the path of a request through packages/tenants/src. */
export const drawArchitecture = (theme: keyof typeof PALETTES): string => {
	const colors = PALETTES[theme];
	const middle = BOX.y + BOX.height / 2;
	const parts = [
		box(430, 44, 752, 458, "tenant"),
		text(452, 72, "zone", "Pinned to one tenant"),
		box(24, middle - 44, 116, 88),
		text(82, middle - 12, "title", "Request", "middle"),
		text(82, middle + 16, "small", "HTTP or", "middle"),
		text(82, middle + 33, "small", "auth.api", "middle"),
		...STAGES.flatMap(stage),
		...engine(),
		arrow(`M140 ${middle}H194`),
		arrow(`M412 ${middle}H450`),
		arrow(`M668 ${middle}H706`),
		arrow(`M924 ${middle}H962`),
		...layer(),
		arrow("M1062 272V350"),
		...stores(),
		arrow("M623 474V554"),
		arrow("M890 474V554"),
		arrow("M1073 474V554"),
		arrow(`M560 272V312H82V${middle + 46}`, "back"),
		text(100, 334, "small", "Rejected: 400, 403, 404, 429 or 503"),
		...rules(),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 700" width="1200" height="700" role="img" aria-labelledby="title description">
<title id="title">${TITLE}</title>
<desc id="description">${DESCRIPTION}</desc>
<style>${style(colors)}
</style>
<defs>${marker("arrow", colors.ink)}${marker("back", colors.line)}</defs>
<rect width="1200" height="700" rx="12" fill="${colors.page}"/>
${parts.join("\n")}
</svg>
`;
};

export const pictureOf = (theme: keyof typeof PALETTES): string => join(FOLDER, `architecture-${theme}.svg`);

/** `pnpm docs:architecture` */
if (import.meta.main)
	for (const theme of ["light", "dark"] as const) writeFileSync(pictureOf(theme), drawArchitecture(theme));
