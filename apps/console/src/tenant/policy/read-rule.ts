import type { Rule } from "./rules.ts";

const text = (form: FormData, name: string): string => String(form.get(name) ?? "").trim();

const lines = (form: FormData, name: string): string[] =>
	text(form, name)
		.split(/[\s,]+/)
		.filter(Boolean);

/** The value that the fields of a rule have. The service checks it. */
export const readRule = (rule: Rule, form: FormData): unknown => {
	if (form.get("limit") === "off") return rule.kind === "list" || rule.kind === "methods" ? "any" : false;
	switch (rule.kind) {
		case "number":
			return Number(text(form, "value"));
		case "duration":
			return Number(text(form, "value")) * Number(text(form, "unit"));
		case "yes-no":
			return text(form, "value") === "yes";
		case "choice":
			return text(form, "value");
		case "list":
			return lines(form, "value");
		case "methods":
			return form.getAll("value").map(String);
		case "rate":
			return { max: Number(text(form, "max")), window: Number(text(form, "value")) * Number(text(form, "unit")) };
		case "date":
			return `${text(form, "value")}T00:00:00Z`;
	}
};
