const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** HTML that is inserted unescaped. */
export type Html = { html: string };

type Part = string | Html | readonly Html[] | null | undefined;

const render = (part: Part): string => {
	if (part === null || part === undefined) return "";
	if (typeof part === "string") return part.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
	return "html" in part ? part.html : part.map(render).join("");
};

/** A template that escapes text. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html => ({
	html: strings.reduce((text, string, index) => text + string + render(parts[index]), ""),
});

/** A font that the test browser always has, so that pictures are reproducible. */
const FONT = '"DejaVu Sans", system-ui, sans-serif';

const style = (accent: string): Html => ({
	html: `
	:root { --accent: ${accent}; }
	* { box-sizing: border-box; }
	body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: #eef0f4; color: #1c2430; font: 16px/1.5 ${FONT}; }
	main { width: 460px; padding: 36px 40px; background: #fff; border: 1px solid #d8dce4; border-top: 4px solid var(--accent); border-radius: 10px; }
	.from { margin: 0 0 4px; color: var(--accent); font-size: 14px; font-weight: bold; }
	h1 { margin: 0 0 20px; font-size: 24px; line-height: 1.3; }
	p { margin: 0 0 16px; }
	form { margin: 0; }
	label { display: block; margin: 0 0 14px; font-size: 14px; color: #465064; }
	input { display: block; width: 100%; margin-top: 4px; padding: 9px 12px; border: 1px solid #b4bccb; border-radius: 6px; font: inherit; color: #1c2430; }
	button { width: 100%; padding: 10px 16px; border: 1px solid #b4bccb; border-radius: 6px; background: #fff; color: #1c2430; font: inherit; cursor: pointer; }
	button.main { border-color: var(--accent); background: var(--accent); color: #fff; }
	.row { display: flex; gap: 12px; }
	.stack > * + * { margin-top: 10px; }
	.or { margin: 20px 0; text-align: center; color: #6b7589; font-size: 14px; }
	dl { display: grid; grid-template-columns: 90px 1fr; gap: 8px 12px; margin: 0 0 20px; }
	dt { color: #6b7589; }
	dd { margin: 0; overflow-wrap: anywhere; }
	h2 { margin: 20px 0 10px; font-size: 16px; }
	ul { list-style: none; margin: 0 0 16px; padding: 0; }
	li { display: flex; justify-content: space-between; align-items: center; padding: 8px 0; border-top: 1px solid #e4e7ed; }
	li button { width: auto; padding: 4px 12px; font-size: 14px; }
	code { padding: 2px 6px; border-radius: 4px; background: #eef0f4; font: 15px/1.5 "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
	a { color: var(--accent); }`,
});

/** A whole page: one card in the middle, in the color of its owner. */
export const page = (of: { title: string; from: string; accent: string; body: Html }): string =>
	html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${of.title}</title><link rel="icon" href="data:,"><style>${style(of.accent)}</style></head>
<body><main><p class="from">${of.from}</p><h1>${of.title}</h1>${of.body}</main></body>
</html>`.html;
