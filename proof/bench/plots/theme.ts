import type { Config } from "vega-lite";

/** The colors of GitHub's page in each mode. The pictures are transparent. */
const INKS = {
	light: {
		ink: "#1f2328",
		soft: "#59636e",
		line: "#d1d9e0",
		/** distinguishable with every kind of color blindness, and on white */
		series: ["#0072b2", "#d55e00", "#064a35", "#7a1a6a", "#8b949e"],
	},
	dark: {
		ink: "#f0f6fc",
		soft: "#9198a1",
		line: "#3d444d",
		/** the same hues in the same order, in shades for a dark background */
		series: ["#56b4e9", "#f08c3a", "#b5f2de", "#c24cf0", "#6e7681"],
	},
};

export type Mode = keyof typeof INKS;
export const MODES = ["light", "dark"] as const satisfies Mode[];

/** Fonts on every reader's machine. Names with spaces need no quotes, which an attribute would escape. */
const FONT = "-apple-system, BlinkMacSystemFont, Segoe UI, Noto Sans, Helvetica, Arial, sans-serif";

/** The look of all pictures. */
export const themeOf = (mode: Mode): Config => {
	const { ink, soft, line, series } = INKS[mode];
	const heading = { color: ink, fontSize: 13, fontWeight: 600 as const };
	return {
		background: "transparent",
		font: FONT,
		padding: 8,
		// the text width on GitHub, including axes and legend
		view: {
			continuousWidth: 560,
			continuousHeight: 260,
			discreteWidth: 560,
			discreteHeight: { step: 34 },
			stroke: null,
		},
		axis: {
			labelColor: ink,
			labelFontSize: 12,
			labelLimit: 320,
			labelFlush: false,
			titleColor: soft,
			titleFontSize: 12,
			titleFontWeight: "normal",
			titlePadding: 8,
			gridColor: line,
			domainColor: soft,
			tickColor: soft,
		},
		axisBand: { grid: false },
		legend: {
			// below each other, because estimated text widths would push them apart
			orient: "top",
			direction: "vertical",
			title: null,
			labelColor: ink,
			labelFontSize: 12,
			labelLimit: 320,
			symbolSize: 110,
			symbolStrokeWidth: 2,
		},
		header: { labelColor: ink, labelFontSize: 12, labelFontWeight: 600, titleColor: soft },
		title: { ...heading, anchor: "start", offset: 10, subtitleColor: soft, subtitleFontSize: 12 },
		scale: { bandPaddingInner: 0.3 },
		range: { category: series },
		mark: { color: series[0] ?? ink },
		line: { strokeWidth: 2.5, point: { size: 60 } },
		rule: { color: ink },
		text: { color: ink, fontSize: 12 },
		style: {
			goal: { stroke: ink, strokeWidth: 1.5, strokeDash: [6, 4] },
			"goal-label": { fill: soft, fontSize: 12, align: "left", baseline: "bottom", dx: 4, dy: -3 },
			figure: { fill: ink, fontSize: 12, align: "left", baseline: "middle", dx: 6 },
		},
	};
};
