import type { CurrentTenant } from "better-auth-tenants";
import { readBranding } from "../branding/branding.ts";
import type { Config } from "../config/config.ts";
import type { engine } from "../http/engine.ts";
import { createOriginCheck } from "../http/origins.ts";
import type { PagePlace } from "../lib/page-paths.ts";
import { cleanName } from "../mail/names.ts";
import type { SignInNotes } from "../measure/note-sign-in.ts";
import { unread } from "../request/answers.ts";
import type { BodyRoom } from "../request/body-room.ts";
import type { AppContext } from "../request/environment.ts";
import { readBody } from "../request/read-body.ts";
import { type Assets, openAssets } from "./assets.ts";
import { callEngine } from "./call-engine.ts";
import { catalogs } from "./catalog/catalogs.ts";
import type { ErrorKey } from "./catalog/en.ts";
import { failureOf } from "./failures.ts";
import { readFlow } from "./flow.ts";
import { flowCookies } from "./flow-cookies.ts";
import { leadOn } from "./lead-on.ts";
import { preferredLocale } from "./locale.ts";
import { PAGES } from "./page/pages-by-path.ts";
import { pageHeaders } from "./page-headers.ts";
import { isSameOrigin } from "./same-origin.ts";
import { secondFactorFirst } from "./second-factor-first.ts";
import { failureNotice, reference } from "./view/failure.ts";
import { h } from "./view/h.ts";
import { type Frame, renderPage, type View } from "./view/layout.ts";
import { linkButton } from "./view/parts.ts";
import type { Visit } from "./visit.ts";

/** Bytes of a form. */
const LARGEST_FORM = 65_536;

type PagesWith = {
	config: Pick<Config, "http" | "mail">;
	ask: ReturnType<typeof engine>["ask"];
	noteSignIn: SignInNotes;
	room: BodyRoom;
};

/** The sign-in pages of all tenants. Every form is a call of Better Auth's own endpoint, with the visitor's headers. */
export const createPages = ({ config, ask, noteSignIn, room }: PagesWith) => {
	const { basePath, trustedOrigins } = config.http;
	const isTrusted = createOriginCheck(trustedOrigins);
	const assets = openAssets();

	const respond = async (c: AppContext, { page: path, base }: PagePlace): Promise<Response> => {
		const { caller } = c.var;
		const ownOrigin = `${caller?.scheme}://${caller?.host}`;
		const setCookies: string[] = [];
		const call = callEngine({ c, ask, noteSignIn, setCookies });
		const stranger = strangerFrame(c, assets, config.mail.locale);

		// without cookies: tenants below paths share them, and those of another tenant would be refused
		const current = await call({ method: "GET", path: "/tenant/current", isAnonymous: true });
		if (!current.ok && current.status !== 404) {
			const { key } = failureOf(current);
			return failed(stranger, current.status, key);
		}
		// the same page for a tenant that does not exist, for the platform, and for an unknown host
		if (!current.ok || !("id" in current.json)) return failed(stranger, 404, "notFound");

		// from our own endpoint
		const tenant = current.json as CurrentTenant;
		const branding = readBranding(tenant.branding);
		const locale = branding.locale ?? stranger.locale;
		const name = cleanName(branding.name ?? tenant.name) || tenant.slug;
		const frame: Frame = { assets, locale, texts: catalogs[locale], name, branding };
		const flow = readFlow({ search: new URL(c.req.url).search, ownOrigin, isTrusted, base, basePath });
		const cookies = flowCookies(c.req.header("cookie"), ownOrigin.startsWith("https:"));
		const isPost = c.req.method === "POST";
		const first = isPost ? null : secondFactorFirst(path, flow);
		if (first !== null) return leadOn(frame, { to: first, isPost, base });
		const { get, post } = PAGES[path];
		const handler = isPost ? post : get;
		if (!handler) return failed(frame, 404, "notFound");
		if (isPost && !isSameOrigin(c.req.raw.headers, ownOrigin)) return failed(frame, 403, "crossSite", `${base}${path}`);
		const body = isPost ? await readBody(c.req.raw, LARGEST_FORM, room) : { bytes: null };
		if ("problem" in body) return unread(body);

		const visit: Visit = {
			name,
			methods: tenant.methods,
			isPasswordRemoved: cookies.passwordRemovedIn() === tenant.id,
			hasMail: config.mail.smtp !== null,
			texts: frame.texts,
			flow,
			api: `${base}${basePath}`,
			form: new URLSearchParams(new TextDecoder().decode(body.bytes ?? new Uint8Array())),
			cookies: {
				read: cookies.read,
				set: (which, value) => setCookies.push(cookies.set(which, value)),
				remove: (which) => setCookies.push(cookies.remove(which)),
			},
			ask: call,
		};
		const answer = await handler(visit);
		const response =
			"to" in answer ? leadOn(frame, { to: answer.to, isPost, base }) : shown(frame, answer.view, answer.status);
		for (const cookie of setCookies) response.headers.append("set-cookie", cookie);
		return response;
	};

	return {
		respond,
		asset: (c: AppContext): Response =>
			assets.find(c.req.path) ?? failed(strangerFrame(c, assets, "en"), 404, "notFound"),
	};
};

/** The frame of pages that belong to no tenant. */
const strangerFrame = (c: AppContext, assets: Assets, fallback: Frame["locale"]): Frame => {
	const locale = preferredLocale(c.req.header("accept-language"), fallback);
	return { assets, locale, texts: catalogs[locale], name: null, branding: {} };
};

const shown = (frame: Frame, view: View, status = 200): Response =>
	new Response(renderPage(frame, view), { status, headers: pageHeaders(frame.branding) });

const failed = (frame: Frame, status: number, key: ErrorKey, again?: string): Response => {
	const { errors } = frame.texts;
	const isMissing = key === "notFound";
	const title = isMissing ? errors.notFoundTitle : errors.failedTitle;
	const body = isMissing
		? [h("p", null, errors.notFound), reference(frame.texts)]
		: [
				failureNotice(frame.texts, { key }),
				reference(frame.texts),
				again !== undefined && linkButton(again, errors.retry, true),
			];
	return shown(frame, { title, isError: !isMissing, body }, status);
};
