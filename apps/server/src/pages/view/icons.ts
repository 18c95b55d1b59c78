import { ICON_PATHS } from "console/provider-icons";
import { type Child, h } from "./h.ts";

/** Lines in a box of 24, as in the console's icons. */
const DRAWN = {
	mail: "M4 5h16a1 1 0 0 1 1 1v12a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1zM3.5 7l8.5 6 8.5-6",
	digits: "M4 6h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zM7.5 12h.01M12 12h.01M16.5 12h.01",
	key: "M12 15.5a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10.8 12.7 20 3.5M16.5 7l3 3",
	building: "M5 20V4h9v16M14 9h5v11M3 20h18M8 8h3M8 12h3M8 16h3",
} as const;

const shape = (path: string, attributes: Record<string, string>): Child =>
	h("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", ...attributes }, h("path", { d: path }));

/** A picture before the label of a button. It says nothing that the label does not. */
export const icon = (name: keyof typeof DRAWN): Child => shape(DRAWN[name], { class: "drawn" });

/** A provider's logo in the color of the text; null without one. Nothing is loaded. */
export const providerIcon = (providerId: string): Child =>
	Object.hasOwn(ICON_PATHS, providerId) ? shape(ICON_PATHS[providerId] ?? "", {}) : null;
