/** Relative luminance of #rrggbb (WCAG 2.2). */
const luminance = (color: string): number => {
	const [red = 0, green = 0, blue = 0] = channels(color).map((value) => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export const contrast = (one: string, other: string): number => {
	const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
};

/** Black or white, whichever can be read better on a color. The contrast is at least 4.5. */
export const inkOn = (color: string): string =>
	contrast(color, "#ffffff") >= contrast(color, "#000000") ? "#ffffff" : "#000000";

/** Mixes a color with another one: 0 leaves it as it is. */
export const mix = (color: string, other: string, share: number): string => {
	const others = channels(other);
	return `#${channels(color)
		.map((value, at) => Math.round(value + ((others[at] ?? 0) - value) * share))
		.map((value) => value.toString(16).padStart(2, "0"))
		.join("")}`;
};

/** Lightens a color until it has a contrast to a dark surface. */
export const lightenedFor = (surface: string, color: string, least: number): string => {
	for (let share = 0; share < 1; share += 0.05) {
		const lighter = mix(color, "#ffffff", share);
		if (contrast(lighter, surface) >= least) return lighter;
	}
	return "#ffffff";
};

const channels = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
