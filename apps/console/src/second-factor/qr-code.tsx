import { encode } from "uqr";

/** A QR code as one path. Always dark on white, which every app can read. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
	// readers need a light border of four modules (ISO/IEC 18004, 5.3.8)
	const { data, size } = encode(text, { border: 4 });
	const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
	return (
		<svg
			role="img"
			aria-label={label}
			viewBox={`0 0 ${size} ${size}`}
			shapeRendering="crispEdges"
			className="size-52 rounded-md border border-hair"
		>
			<rect width={size} height={size} fill="#ffffff" />
			<path d={path} fill="#000000" />
		</svg>
	);
};
