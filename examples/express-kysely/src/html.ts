const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that is HTML already. */
export class Html {
	readonly text: string;
	constructor(text: string) {
		this.text = text;
	}
}

type Value = string | number | Html | Html[];

const show = (value: Value): string => {
	if (value instanceof Html) return value.text;
	if (Array.isArray(value)) return value.map(show).join("");
	return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
};

/** Writes HTML. Every value is escaped, unless it was written by this function. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
	new Html(String.raw({ raw: parts }, ...values.map(show)));
