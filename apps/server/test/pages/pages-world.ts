import { Browser } from "test-kit/browser";
import { startSmtp } from "test-kit/servers/smtp";
import { MANAGEMENT_KEY } from "../support/environment.ts";
import { EVERY_PLUGIN } from "../support/every-plugin.ts";
import { createWorld } from "../support/world.ts";

export const PLATFORM_HOST = "auth.example.com";
export const PASSWORD = "correct horse battery";

export type Tenant = { id: string; slug: string; host: string; base: string };
export type Shown = {
	status: number;
	headers: Headers;
	/** where a page that leads elsewhere leads to */
	leadsTo: string | null;
	location: string | null;
	text: string;
	/** the path and query that the visitor ended at */
	at: string;
	forms: { action: string; fields: Record<string, string>; buttons: { name: string; value: string }[] }[];
};

type World = Awaited<ReturnType<typeof startPages>>;

/** The service with its pages behind a proxy, over HTTP: two tenants, each with its own host or path. */
export const startPages = async (environment: Record<string, string> = {}) => {
	const smtp = await startSmtp();
	// the pages are their defaults
	const {
		OAUTH_PROVIDER_LOGIN_PAGE: _login,
		OAUTH_PROVIDER_CONSENT_PAGE: _consent,
		TENANT_INVITATION_URL: _invitation,
		...plugins
	} = EVERY_PLUGIN;
	const world = await createWorld({
		environment: {
			...plugins,
			PAGES: "true",
			AUTH_URL: `https://${PLATFORM_HOST}`,
			TRUSTED_PROXIES: "127.0.0.1",
			TENANT_RESOLVER: "subdomain,path",
			TENANT_DOMAIN: "app.example.com",
			TENANT_CACHE_MAX_AGE: "0",
			TRUSTED_ORIGINS: "https://shop.example.com",
			SMTP_URL: smtp.url,
			REQUIRE_EMAIL_VERIFICATION: "true",
			...environment,
		},
	});
	const service = await world.start();

	const send = (host: string, path: string, init: RequestInit = {}): Promise<Response> =>
		fetch(new URL(path, service.url), {
			redirect: "manual",
			...init,
			headers: {
				"x-forwarded-host": host,
				"x-forwarded-proto": "https",
				...(init.headers as Record<string, string>),
			},
		});
	const operate = async (path: string, body: object): Promise<Record<string, unknown>> => {
		const headers = {
			authorization: `Bearer ${MANAGEMENT_KEY}`,
			"content-type": "application/json",
			origin: `https://${PLATFORM_HOST}`,
		};
		const sent = { method: "POST", headers, body: JSON.stringify(body) };
		const answer = await send(PLATFORM_HOST, `/api/auth${path}`, sent);
		return { status: answer.status, ...((await answer.json()) as object) };
	};
	const createTenant = async (slug: string, more: object = {}, isPath = false): Promise<Tenant> => {
		const { id } = await operate("/tenant/create", { name: slug, slug, ...more });
		const place = isPath ? { host: PLATFORM_HOST, base: `/t/${slug}` } : { host: `${slug}.app.example.com`, base: "" };
		return { id: String(id), slug, ...place };
	};
	return {
		smtp,
		world,
		service,
		send,
		operate,
		createTenant,
		visitor: (host: string, headers: Record<string, string> = {}) => createVisitor(send, host, headers),
		close: async (): Promise<void> => {
			await world.close();
			await smtp.close();
		},
	};
};

export type Visitor = ReturnType<World["visitor"]>;

/** A browser without JavaScript: it keeps cookies, follows redirects on its host, and sends the forms that it sees. */
const createVisitor = (
	send: (host: string, path: string, init?: RequestInit) => Promise<Response>,
	host: string,
	more: Record<string, string>,
) => {
	const browser = new Browser();
	const origin = `https://${host}`;
	const request = async (path: string, init: RequestInit = {}): Promise<Shown> => {
		const response = await send(host, path, {
			...init,
			headers: { accept: "text/html", ...more, cookie: browser.header(), ...(init.headers as object) },
		});
		browser.take(response);
		const text = await response.text();
		const location = response.headers.get("location");
		const next = location === null ? null : new URL(location, `${origin}${path}`);
		if (next?.origin === origin) return request(`${next.pathname}${next.search}`);
		const [, refresh] = /http-equiv="refresh" content="0; url=([^"]*)"/.exec(text) ?? [];
		return {
			status: response.status,
			headers: response.headers,
			leadsTo: refresh === undefined ? null : decoded(refresh),
			location,
			text,
			at: path,
			forms: formsIn(text),
		};
	};
	const post = (action: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Shown> =>
		request(action, {
			method: "POST",
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				origin,
				"sec-fetch-site": "same-origin",
				...headers,
			},
			body: new URLSearchParams(fields).toString(),
		});
	return {
		browser,
		get: (path: string) => request(path),
		post,
		/** Fills in a form of a page and sends it. */
		submit: (page: Shown, fields: Record<string, string>, at = 0): Promise<Shown> => {
			const found = page.forms[at];
			if (!found) throw new Error(`no form ${at} at ${page.at}: ${page.status} ${page.text.slice(0, 2000)}`);
			return post(found.action, { ...found.fields, ...fields });
		},
		/** The session at the visitor's host; null without one. */
		session: async (base = ""): Promise<Record<string, Record<string, unknown>> | null> => {
			const response = await send(host, `${base}/api/auth/get-session`, { headers: { cookie: browser.header() } });
			return (await response.json()) as never;
		},
	};
};

const decoded = (text: string): string =>
	text
		.replaceAll("&quot;", '"')
		.replaceAll("&#39;", "'")
		.replaceAll("&lt;", "<")
		.replaceAll("&gt;", ">")
		.replaceAll("&amp;", "&");

const attribute = (tag: string, name: string): string | null => {
	const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? [];
	return value === undefined ? null : decoded(value);
};

const formsIn = (text: string): Shown["forms"] =>
	[...text.matchAll(/<form[^>]*>.*?<\/form>/gs)].map(([html]) => {
		const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
		const sent = inputs.filter((tag) => attribute(tag, "type") !== "checkbox" || attribute(tag, "checked") !== null);
		return {
			action: attribute(html, "action") ?? "",
			fields: Object.fromEntries(sent.map((tag) => [attribute(tag, "name") ?? "", attribute(tag, "value") ?? ""])),
			buttons: [...html.matchAll(/<button[^>]*>/g)].map(([tag]) => ({
				name: attribute(tag, "name") ?? "",
				value: attribute(tag, "value") ?? "",
			})),
		};
	});

/** The text of a page, without its markup. */
export const textOf = ({ text }: Shown): string =>
	decoded(text.replace(/<head>.*<\/head>/s, "").replace(/<[^>]+>/g, " "))
		.replace(/\s+/g, " ")
		.trim();

export const titleOf = ({ text }: Shown): string => decoded(/<title>(.*?)<\/title>/.exec(text)?.[1] ?? "");
