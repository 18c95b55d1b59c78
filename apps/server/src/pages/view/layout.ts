import type { JSXNode } from "hono/jsx";
import { brandStylesPath } from "../../branding/brand-styles.ts";
import type { Branding } from "../../branding/branding.ts";
import type { Locale } from "../../lib/locales.ts";
import type { Assets } from "../assets.ts";
import type { PageCatalog } from "../catalog/en.ts";
import { type Child, h } from "./h.ts";

export type Frame = {
	assets: Assets;
	locale: Locale;
	texts: PageCatalog;
	/** the name that visitors see; null if the address belongs to no tenant */
	name: string | null;
	branding: Branding;
};

export type View = {
	title: string;
	/** the form has an error, which the window's title says first */
	isError?: boolean;
	/** leads to another site at once */
	refresh?: string;
	body: Child[];
};

const DIRECTIONS: Record<Locale, "ltr" | "rtl"> = { en: "ltr", de: "ltr", fr: "ltr", es: "ltr", ja: "ltr" };

/** The document around every page. */
export const renderPage = (frame: Frame, view: View): string => `<!doctype html>${documentOf(frame, view)}`;

const documentOf = ({ assets, locale, texts, name, branding }: Frame, view: View): JSXNode => {
	const brand = brandStylesPath(branding);
	const title = view.isError ? `${texts.errors.prefix}: ${view.title}` : view.title;
	return h(
		"html",
		{ lang: locale, dir: DIRECTIONS[locale] },
		h(
			"head",
			null,
			h("meta", { charset: "utf-8" }),
			h("title", null, name && !title.includes(name) ? `${title} – ${name}` : title),
			h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
			h("meta", { name: "robots", content: "noindex" }),
			h("meta", { name: "color-scheme", content: "light dark" }),
			view.refresh !== undefined && h("meta", { "http-equiv": "refresh", content: `0; url=${view.refresh}` }),
			h("link", { rel: "stylesheet", href: assets.styles }),
			brand !== null && h("link", { rel: "stylesheet", href: brand }),
			h("script", { src: assets.script, defer: true }),
		),
		h(
			"body",
			null,
			h("main", null, mark(name, branding, view.title), h("h1", null, view.title), ...view.body),
			legal(texts, branding),
		),
	);
};

/** The tenant's logo, or its name where the title does not have it. */
const mark = (name: string | null, { logo }: Branding, title: string): Child => {
	if (name === null || (!logo && title.includes(name))) return null;
	const image = { src: logo, alt: name, height: 40, referrerpolicy: "no-referrer", decoding: "async" };
	return h("div", { class: "tenant" }, logo ? h("img", image) : name);
};

const legal = ({ legal }: PageCatalog, { terms, privacy, imprint }: Branding): Child => {
	const links = [
		terms && [terms, legal.terms],
		privacy && [privacy, legal.privacy],
		imprint && [imprint, legal.imprint],
	];
	const shown = links.flatMap((one) => (Array.isArray(one) ? [one] : []));
	if (shown.length === 0) return null;
	return h(
		"footer",
		null,
		shown.map(([href = "", label = ""]) => h("a", { href, rel: "noopener noreferrer" }, label)),
	);
};
