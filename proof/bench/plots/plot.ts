import type { TopLevelSpec } from "vega-lite";

/**
 * A picture of a result. The theme sets size, fonts and colors, so a spec sets none: series use `color: { field }`, and
 * everything else uses a style: "goal" (a rule), "goal-label" or "figure" (texts).
 */
export type Plot = {
	/** the name of its files: `<name>-light.svg` and `<name>-dark.svg` */
	name: string;
	/** the alternative text */
	alt: string;
	spec: TopLevelSpec;
};
