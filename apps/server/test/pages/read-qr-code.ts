import jsQR from "jsqr";

/** Pixels of a module. */
const SCALE = 4;

/** Draws the QR code of a page from its SVG, as a browser does, and reads it as a camera does. Null if there is none. */
export const readQrCode = (html: string): string | null => {
	const [, size = "", path = ""] =
		/<svg class="qr"[^>]* viewBox="0 0 (\d+) \1"[^>]*><rect width="\1" height="\1" fill="#fff"><\/rect><path d="([^"]+)" fill="#000"><\/path><\/svg>/.exec(
			html,
		) ?? [];
	if (size === "") return null;
	const width = Number(size) * SCALE;
	const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
	for (const [, x, y, end, back] of path.matchAll(/M(\d+) (\d+)H(\d+)v1H(\d+)z/g)) {
		if (x !== back) throw new Error("A rectangle of the QR code does not close");
		for (let row = Number(y) * SCALE; row < (Number(y) + 1) * SCALE; row += 1)
			for (let column = Number(x) * SCALE; column < Number(end) * SCALE; column += 1)
				pixels.set([0, 0, 0], (row * width + column) * 4);
	}
	return jsQR.default(pixels, width, width, { inversionAttempts: "dontInvert" })?.data ?? null;
};
