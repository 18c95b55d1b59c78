/** The contents of a mail. The layout is the same for all. */
export type Letter = {
	subject: string;
	/** what happened and what to do, in a sentence or two */
	opening: string;
	/** a link to follow or a code to enter; neither in a mere notification */
	link?: { label: string; url: string };
	code?: string;
	/** how long it is valid, and what to do if the reader did not ask for it */
	closing: string;
};

/** Renders a letter as plain text and HTML, without images, tables or anything loaded from a server. */
export const compose = ({ subject, opening, link, code, closing }: Letter) => ({
	subject,
	text: `${[opening, link && `${link.label}:\n${webAddress(link.url)}`, code, closing].filter(Boolean).join("\n\n")}\n`,
	html: page([
		paragraph(opening),
		...(link ? [button(link.label, webAddress(link.url)), address(webAddress(link.url))] : []),
		...(code ? [`<p style="font-size:28px;letter-spacing:4px;font-family:monospace">${escaped(code)}</p>`] : []),
		`<p style="font-size:14px;opacity:.75">${escaped(closing)}</p>`,
	]),
});

/** Follows the reader's light or dark mode. Only the button has colors, which are legible on both. */
const page = (parts: string[]): string =>
	[
		'<!doctype html><html lang="en"><head><meta charset="utf-8">',
		'<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"></head>',
		'<body style="margin:0"><div style="max-width:560px;margin:0 auto;padding:32px 24px;font:16px/1.5 system-ui,sans-serif">',
		...parts,
		"</div></body></html>",
	].join("\n");

const paragraph = (text: string): string => `<p>${escaped(text)}</p>`;

const button = (label: string, url: string): string =>
	`<p><a href="${escaped(url)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#2457d6;color:#ffffff;text-decoration:none">${escaped(label)}</a></p>`;

const address = (url: string): string =>
	`<p style="font-size:14px">Or open this address:<br><a href="${escaped(url)}" style="word-break:break-all">${escaped(url)}</a></p>`;

/** Normalizes a URL: on one line, with unusual characters encoded. */
const webAddress = (url: string): string => {
	const parsed = new URL(url);
	if (parsed.protocol !== "https:" && parsed.protocol !== "http:")
		throw new Error("A link in a mail must be an http or https URL");
	return parsed.href;
};

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
