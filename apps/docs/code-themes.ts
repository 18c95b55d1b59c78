/**
 * Colors for code with four kinds of text: comments, strings, keywords and the rest. Neighbors of the same color become one
 * element, so a page with much code has half as many elements, which phones lay out faster.
 */
const theme = (name: string, type: "light" | "dark", colors: Record<"ground" | "text" | Kind, string>) => ({
	name,
	type,
	colors: { "editor.background": colors.ground, "editor.foreground": colors.text },
	settings: [
		{ settings: { foreground: colors.text, background: colors.ground } },
		...Object.entries(SCOPES).map(([kind, scope]) => ({ scope, settings: { foreground: colors[kind as Kind] } })),
	],
});

type Kind = keyof typeof SCOPES;

const SCOPES = {
	comment: ["comment", "punctuation.definition.comment"],
	string: ["string", "constant.other.symbol", "markup.inline.raw"],
	// operators and numbers stay with the text around them
	keyword: [
		"keyword.control",
		"keyword.other",
		"keyword.operator.new",
		"storage",
		"constant.language",
		"variable.language",
		"entity.name.tag",
	],
};

export const CODE_THEMES = [
	theme("calm-dark", "dark", {
		ground: "#1b1d27",
		text: "#e3e5ee",
		comment: "#9aa0b4",
		string: "#9ddcaf",
		keyword: "#aab6ff",
	}),
	theme("calm-light", "light", {
		ground: "#f6f7fb",
		text: "#23262f",
		comment: "#5f6577",
		string: "#136b3a",
		keyword: "#3348d1",
	}),
];
