import type { Plot } from "./plot.ts";
import type { Mode } from "./theme.ts";

export const fileOf = ({ name }: Pick<Plot, "name">, mode: Mode): string => `${name}-${mode}.svg`;

/** The plot in a document, in the reader's color mode. The directory is relative to the document. */
export const picture = (plot: Pick<Plot, "name" | "alt">, folder = "plots"): string =>
	[
		"<picture>",
		`<source media="(prefers-color-scheme: dark)" srcset="${folder}/${fileOf(plot, "dark")}">`,
		`<img alt="${escaped(plot.alt)}" src="${folder}/${fileOf(plot, "light")}">`,
		"</picture>",
	].join("\n");

const escaped = (text: string): string =>
	text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll("\n", " ");
