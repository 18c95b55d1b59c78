import type { JSXNode } from "hono/jsx";
import { type Child, h } from "./h.ts";

type FieldWith = {
	name: string;
	label: string;
	type?: "text" | "email" | "password";
	value?: string;
	autocomplete: string;
	hint?: string;
	error?: string | undefined;
	autofocus?: boolean;
	minlength?: number;
	maxlength?: number;
	inputmode?: "numeric" | "email";
	readonly?: boolean;
	/** for the script */
	data?: Record<string, string>;
};

/** A labeled field with its hint and its error. Screen readers hear both with the field. */
export const field = (given: FieldWith): JSXNode => {
	const { name, label, hint, error, data = {}, type = "text", ...attributes } = given;
	const described = [error && `${name}-error`, hint && `${name}-hint`].filter(Boolean).join(" ");
	return h(
		"div",
		{ class: "field" },
		h("label", { for: name }, label),
		h("input", {
			id: name,
			name,
			type,
			...attributes,
			autofocus: attributes.autofocus || undefined,
			required: true,
			...(type === "text" || type === "email" ? { autocapitalize: "none", spellcheck: "false" } : {}),
			"aria-describedby": described || undefined,
			"aria-invalid": error ? "true" : undefined,
			...data,
		}),
		error && h("p", { class: "error", id: `${name}-error` }, error),
		hint && h("p", { class: "hint", id: `${name}-hint` }, hint),
	);
};

export const checkbox = (name: string, label: string, checked: boolean): JSXNode =>
	h(
		"label",
		{ class: "check" },
		h("input", { type: "checkbox", name, value: "yes", checked: checked || undefined }),
		h("span", null, label),
	);

/** A form that posts to a page. */
export const form = (action: string, ...children: Child[]): JSXNode =>
	h("form", { method: "post", action }, ...children);

/** A value that a form sends back. Never a secret: pages contain none. */
export const hidden = (name: string, value: string): JSXNode => h("input", { type: "hidden", name, value });

export const submit = (label: string, attributes: Record<string, string> = {}): JSXNode =>
	h("button", { type: "submit", class: "button primary", ...attributes }, label);

export const secondary = (label: string, attributes: Record<string, string> = {}, icon: Child = null): JSXNode =>
	h("button", { type: "submit", class: "button", ...attributes }, icon, label);

export const linkButton = (href: string, label: string, isPrimary = false, icon: Child = null): JSXNode =>
	h("a", { class: isPrimary ? "button primary" : "button", href }, icon, label);

export const link = (href: string, label: string): JSXNode => h("a", { href }, label);

/** A message above a form. Errors are announced at once. */
export const notice = (text: string, kind: "error" | "info" = "info"): JSXNode =>
	h("p", { class: `notice ${kind}`, role: kind === "error" ? "alert" : "status" }, text);
