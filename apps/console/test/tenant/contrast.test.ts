import { expect, it } from "vitest";
import {
	contrast as contrastOfPages,
	inkOn as inkOfPages,
	lightenedFor as lightenedOfPages,
} from "../../../server/src/branding/contrast.ts";
import { contrast, inkOn, lightenedFor } from "../../src/tenant/branding/contrast.ts";

it.each(["#0057b8", "#ffd200", "#7a1fa2", "#000000", "#ffffff", "#777777"])(
	"draws %s in the preview as the sign-in pages do",
	(color) => {
		expect(contrast(color, "#ffffff")).toBe(contrastOfPages(color, "#ffffff"));
		expect(inkOn(color)).toBe(inkOfPages(color));
		expect(lightenedFor("#1a1b1f", color)).toBe(lightenedOfPages("#1a1b1f", color, 4.5));
	},
);
