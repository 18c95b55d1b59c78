type Channel = { field?: string; type: "quantitative" | "nominal" };
type Channels = { x: Channel; y: Channel; series: Channel };

/** Shows a median as a point on the line between its quartiles, per series. Data has low, median and high. */
export const spreadLayers = <Given extends Channels>({ x, y, series }: Given) => [
	{
		mark: { type: "rule" as const, strokeWidth: 2 },
		encoding: { y, yOffset: series, color: series, x: { ...x, field: "low" }, x2: { field: "high" } },
	},
	{
		mark: { type: "point" as const, filled: true, size: 70, opacity: 1 },
		encoding: { y, yOffset: series, color: series, shape: series, x: { ...x, field: "median" } },
	},
];
