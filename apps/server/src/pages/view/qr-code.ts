import type { JSXNode } from "hono/jsx";
import { encode } from "uqr";
import { h } from "./h.ts";

/** 858 bytes. A code with more modules is too fine for a camera at the size that the style sheet gives it. */
const LARGEST_VERSION = 20;

/** The light border that readers need, in modules (ISO/IEC 18004, 5.3.8). */
const QUIET_ZONE = 4;

/** A QR code, dark on white in every color scheme. Null for a text that is too long for one that can be scanned. */
export const qrCode = (text: string, label: string): JSXNode | null => {
	const modules = encodeIfReadable(text);
	if (modules === null) return null;
	const size = String(modules.length);
	return h(
		"svg",
		{ class: "qr", role: "img", "aria-label": label, viewBox: `0 0 ${size} ${size}`, "shape-rendering": "crispEdges" },
		// attributes, because the content security policy forbids inline styles
		h("rect", { width: size, height: size, fill: "#fff" }),
		h("path", { d: modules.map(drawRow).join(""), fill: "#000" }),
	);
};

const encodeIfReadable = (text: string): boolean[][] | null => {
	try {
		return encode(text, { border: QUIET_ZONE, maxVersion: LARGEST_VERSION }).data;
	} catch (error) {
		if (error instanceof RangeError) return null;
		throw error;
	}
};

/** Neighbors are one rectangle, which makes a third of the bytes of one for each module. */
const drawRow = (row: boolean[], y: number): string =>
	row
		.map((isDark, x) => {
			if (!isDark || row[x - 1]) return "";
			const end = row.indexOf(false, x);
			return `M${x} ${y}H${end}v1H${x}z`;
		})
		.join("");
