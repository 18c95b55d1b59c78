import { PAGE_PATHS } from "../lib/page-paths.ts";
import { pageHeaders } from "./page-headers.ts";
import { h } from "./view/h.ts";
import { type Frame, renderPage } from "./view/layout.ts";
import { linkButton } from "./view/parts.ts";

/** Schemes that show or run something instead of leading anywhere. Native applications have schemes of their own. */
const UNSAFE = /^(javascript|data|vbscript|blob|file|filesystem|about|view-source|intent):$/;

/**
 * Leads to another page or site. The response to a form only redirects to pages: browsers apply `form-action` to every
 * redirect that follows, and it allows no other site. Anything else gets a page that leads on at once.
 */
export const leadOn = (frame: Frame, { to, isPost, base }: { to: string; isPost: boolean; base: string }): Response => {
	const isPage = PAGE_PATHS.some((path) => to === `${base}${path}` || to.startsWith(`${base}${path}?`));
	const url = URL.parse(to, "http://site.invalid");
	if (!url || UNSAFE.test(url.protocol)) throw new Error("A page leads to a URL that it must not lead to");
	const headers = pageHeaders(frame.branding);
	if (isPage || !isPost) return new Response(null, { status: 303, headers: { ...headers, location: to } });
	const { leaving } = frame.texts;
	const host = url.host === "site.invalid" ? (frame.name ?? "") : url.host || url.protocol.slice(0, -1);
	const body = [h("p", null, leaving.text(host)), linkButton(to, leaving.action, true)];
	return new Response(renderPage(frame, { title: leaving.title, refresh: to, body }), { status: 200, headers });
};
