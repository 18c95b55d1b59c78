import type { Branding } from "./branding.ts";
import { inkOn, lightenedFor, mix } from "./contrast.ts";

/** The form's background in dark mode, as in pages.css. */
const DARK_SURFACE = "#1a1b1f";

/** The path of the style sheet with a tenant's colors; null without any. The path contains all that is in it. */
export const brandStylesPath = ({ primaryColor, backgroundColor }: Branding): string | null =>
	primaryColor || backgroundColor
		? `/pages/brand.${primaryColor?.slice(1) ?? "none"}.${backgroundColor?.slice(1) ?? "none"}.css`
		: null;

/** The style sheet for such a path; null for any other. */
export const brandStyles = (path: string): string | null => {
	const [, primary, background] = /^\/pages\/brand\.([0-9a-f]{6}|none)\.([0-9a-f]{6}|none)\.css$/.exec(path) ?? [];
	if (!primary || !background) return null;
	return [primary === "none" ? "" : buttons(`#${primary}`), background === "none" ? "" : page(`#${background}`)].join(
		"",
	);
};

const buttons = (color: string): string => {
	const dark = lightenedFor(DARK_SURFACE, color, 4.5);
	return (
		`:root{--brand:${color};--brand-hover:${mix(color, "#000000", 0.12)};--on-brand:${inkOn(color)}}` +
		`@media(prefers-color-scheme:dark){:root{--brand:${dark};--brand-hover:${mix(dark, "#ffffff", 0.12)};--on-brand:${inkOn(dark)}}}`
	);
};

/** In light mode only: a light page around a dark form would be hard on the eyes. */
const page = (color: string): string =>
	`@media(prefers-color-scheme:light){:root{--page:${color};--on-page:${inkOn(color)}}}`;
