import { createElement, type JSXNode } from "hono/jsx";

export type Child = JSXNode | string | false | null | undefined | Child[];

type Attributes = Record<string, string | number | boolean | undefined>;

/** Attributes that would run or style something inline, which the pages' content security policy forbids. */
const INLINE = /^on|^style$|^srcdoc$|innerhtml$/i;

/**
 * An element. Hono escapes its texts and attributes, and quotes every attribute. No JSX, because Node runs the sources
 * without a compiler.
 */
export const h = (tag: string, attributes: Attributes | null, ...children: Child[]): JSXNode => {
	for (const name of Object.keys(attributes ?? {}))
		if (INLINE.test(name)) throw new Error(`The attribute ${name} is not allowed on a page`);
	return createElement(tag, attributes ?? {}, ...shown(children));
};

const shown = (children: Child[]): (JSXNode | string)[] =>
	children.flatMap((child) => (Array.isArray(child) ? shown(child) : child ? [child] : [])) as (JSXNode | string)[];
