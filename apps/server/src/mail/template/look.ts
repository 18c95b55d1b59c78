// cspell:ignore Hiragino
import type { CSSProperties } from "react";

const FONT = 'system-ui,-apple-system,"Segoe UI",Roboto,"Hiragino Sans","Noto Sans CJK JP","Yu Gothic UI",sans-serif';

/** Inline, because some mail programs drop style sheets. These are the light colors. */
export const LOOK = {
	body: { margin: 0, padding: "32px 16px", backgroundColor: "#f3f4f6", color: "#1b1f26", fontFamily: FONT },
	card: { maxWidth: 520, backgroundColor: "#ffffff", border: "1px solid #dfe2e7", borderRadius: 12 },
	content: { padding: "28px 32px 24px" },
	title: { margin: 0, fontSize: 20, lineHeight: "28px", fontWeight: 600, overflowWrap: "anywhere" },
	text: { margin: "16px 0 0", fontSize: 16, lineHeight: "26px", overflowWrap: "anywhere" },
	button: {
		marginTop: 24,
		padding: "12px 22px",
		borderRadius: 8,
		backgroundColor: "#2457d6",
		color: "#ffffff",
		fontSize: 16,
		fontWeight: 600,
	},
	small: { margin: "20px 0 0", fontSize: 14, lineHeight: "22px", color: "#5a6270" },
	address: { color: "#2457d6", fontSize: 13, textDecoration: "underline", wordBreak: "break-all" },
	code: {
		margin: "24px 0 0",
		padding: "14px 0",
		borderRadius: 8,
		backgroundColor: "#f3f4f6",
		fontFamily: 'ui-monospace,Menlo,Consolas,"DejaVu Sans Mono",monospace',
		fontSize: 30,
		lineHeight: "36px",
		letterSpacing: 6,
		textAlign: "center",
	},
	closing: {
		margin: "24px 0 0",
		paddingTop: 18,
		borderTop: "1px solid #dfe2e7",
		fontSize: 14,
		lineHeight: "22px",
		color: "#5a6270",
	},
} as const satisfies Record<string, CSSProperties>;

/** The dark colors, for mail programs that read style sheets. The others show the light ones, or invert them. */
export const DARK = [
	"@media (prefers-color-scheme:dark){",
	".m-body,.m-body td{background-color:#14161a!important}",
	".m-card{background-color:#1e2127!important;border-color:#343942!important}",
	// its corners are round
	".m-card td{background-color:transparent!important}",
	".m-body,.m-title,.m-text,.m-code{color:#eceef2!important}",
	".m-code{background-color:#14161a!important}",
	".m-small,.m-closing{color:#a9b0bc!important}",
	".m-closing{border-color:#343942!important}",
	".m-address{color:#8fb0ff!important}",
	"}",
].join("");
