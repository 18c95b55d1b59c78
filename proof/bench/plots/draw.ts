import { parse, resetSVGDefIds, View } from "vega";
import { compile } from "vega-lite";
import type { Plot } from "./plot.ts";
import { type Mode, themeOf } from "./theme.ts";

/**
 * Draws a plot as SVG. The output is deterministic: text widths are estimated, not measured, as long as no canvas is
 * installed, and ids count from 0.
 */
export const drawPlot = async ({ spec }: Plot, mode: Mode): Promise<string> => {
	resetSVGDefIds();
	const { config, ...rest } = spec;
	const { spec: compiled } = compile({ ...rest, config: { ...themeOf(mode), ...config } });
	const view = new View(parse(compiled), { renderer: "none" });
	try {
		return `${await view.toSVG()}\n`;
	} finally {
		view.finalize();
	}
};
