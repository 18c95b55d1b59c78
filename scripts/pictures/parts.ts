/** Parts of the pictures in docs/concepts. Presentation attributes only, because some viewers of SVG ignore style sheets. */

export type Theme = "light" | "dark";

type Name =
	| "page"
	| "ink"
	| "soft"
	| "line"
	| "box"
	| "acme"
	| "acmeLine"
	| "globex"
	| "globexLine"
	| "stop"
	| "stopLine";

const PALETTES: Record<Theme, Record<Name, string>> = {
	light: {
		page: "#ffffff",
		ink: "#1f2328",
		soft: "#59636e",
		line: "#818b98",
		box: "#f6f8fa",
		acme: "#ddf4ff",
		acmeLine: "#0969da",
		globex: "#fbefff",
		globexLine: "#8250df",
		stop: "#ffebe9",
		stopLine: "#cf222e",
	},
	dark: {
		page: "#0d1117",
		ink: "#f0f6fc",
		soft: "#9198a1",
		line: "#656c76",
		box: "#151b23",
		acme: "#0c2d4d",
		acmeLine: "#58a6ff",
		globex: "#2b1a47",
		globexLine: "#bc8cff",
		stop: "#3c1618",
		stopLine: "#ff7b72",
	},
};

const SANS = "-apple-system, BlinkMacSystemFont, 'Segoe UI', 'Noto Sans', Helvetica, Arial, 'DejaVu Sans', sans-serif";
const MONO = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/** Whose a part is: it decides the color. */
export type Owner = "acme" | "globex" | "platform" | "stop";
type Words = { size?: number; bold?: boolean; soft?: boolean; mono?: boolean; middle?: boolean; owner?: Owner };

/** The functions that draw in one theme. */
export const brush = (theme: Theme) => {
	const colors = PALETTES[theme];
	const fill = (owner: Owner): string => (owner === "platform" ? colors.box : colors[owner]);
	const line = (owner: Owner): string => (owner === "platform" ? colors.line : colors[`${owner}Line`]);
	return {
		lineColor: line,
		text: (x: number, y: number, words: string, { size = 14, bold, soft, mono, middle, owner }: Words = {}): string => {
			const color = owner ? line(owner) : soft ? colors.soft : colors.ink;
			const weight = bold ? ' font-weight="600"' : "";
			const anchor = middle ? ' text-anchor="middle"' : "";
			return `<text x="${x}" y="${y}" font-family="${mono ? MONO : SANS}" font-size="${size}" fill="${color}"${weight}${anchor}>${words}</text>`;
		},
		box: (x: number, y: number, width: number, height: number, owner: Owner = "platform", radius = 10): string =>
			`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" fill="${fill(owner)}" stroke="${line(owner)}"/>`,
		card: (x: number, y: number, width: number, height: number, owner: Owner = "platform"): string =>
			`<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${colors.page}" stroke="${line(owner)}"/>`,
		dot: (x: number, y: number, number: string): string =>
			`<circle cx="${x}" cy="${y}" r="12" fill="${colors.acmeLine}"/><text x="${x}" y="${y + 4.5}" font-family="${SANS}" font-size="13" font-weight="700" fill="${colors.page}" text-anchor="middle">${number}</text>`,
		arrow: (path: string, owner: Owner = "platform", dashed = false): string =>
			`<path d="${path}" fill="none" stroke="${line(owner)}" stroke-width="1.6"${dashed ? ' stroke-dasharray="5 4"' : ""} marker-end="url(#${owner})"/>`,
		/** A whole picture. The title and description are for readers who do not see it. */
		picture: (height: number, title: string, description: string, parts: string[]): string =>
			`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 ${height}" width="960" height="${height}" role="img" aria-labelledby="title description">
<title id="title">${title}</title>
<desc id="description">${description}</desc>
<defs>${(["acme", "globex", "platform", "stop"] as const)
				.map(
					(owner) =>
						`<marker id="${owner}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z" fill="${line(owner)}"/></marker>`,
				)
				.join("")}</defs>
<rect width="960" height="${height}" rx="12" fill="${colors.page}"/>
${parts.join("\n")}
</svg>
`,
	};
};
