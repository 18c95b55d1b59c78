import type { TopLevelSpec } from "vega-lite";

/**
 * A picture of a result. The theme gives size, fonts and colors, so a spec names none: series take theirs by
 * `color: { field }`, and what is no series takes a style: "goal" (a rule), "goal-label" or "figure" (texts).
 */
export type Plot = {
	/** of its files: `<name>-light.svg` and `<name>-dark.svg` */
	name: string;
	/** what it shows, for whoever does not see it */
	alt: string;
	spec: TopLevelSpec;
};
