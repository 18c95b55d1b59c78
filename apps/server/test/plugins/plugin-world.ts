import { Browser } from "test-kit/browser";
import { startSmtp } from "test-kit/servers/smtp";
import { MANAGEMENT_KEY } from "../support/environment.ts";
import { EVERY_PLUGIN } from "../support/every-plugin.ts";
import { createWorld } from "../support/world.ts";
import { startSmsReceiver } from "./sms-receiver.ts";

export const HOST = "auth.example.com";
export const PASSWORD = "correct horse battery";

type Call = {
	/** the host that the proxy forwards */
	host?: string;
	/** the tenant header */
	tenant?: string;
	browser?: Browser;
	headers?: Record<string, string>;
	query?: Record<string, string>;
	body?: unknown;
	form?: Record<string, string>;
	method?: string;
	/** sends the management key */
	operator?: boolean;
};

export type Party = { id: string; slug: string; host: string; browser: Browser };

/** The whole service over HTTP with every plugin, behind a proxy. Two tenants, each with its own host and a user. */
export const startPlugins = async (environment: Record<string, string> = {}) => {
	const [smtp, sms] = [await startSmtp(), await startSmsReceiver()];
	const world = await createWorld({
		environment: {
			...EVERY_PLUGIN,
			AUTH_URL: `https://${HOST}`,
			TRUSTED_PROXIES: "127.0.0.1",
			TENANT_RESOLVER: "subdomain",
			TENANT_DOMAIN: "app.example.com",
			SMTP_URL: smtp.url,
			SMS_WEBHOOK_URL: sms.url,
			...environment,
		},
	});
	const service = await world.start();

	const call = async (path: string, options: Call = {}) => {
		const { host = HOST, tenant, browser, headers, query, body, form, method, operator } = options;
		const sent = form ? new URLSearchParams(form) : body === undefined ? undefined : JSON.stringify(body);
		const url = new URL(`/api/auth${path}`, service.url);
		for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
		const response = await fetch(url, {
			method: method ?? (sent === undefined ? "GET" : "POST"),
			redirect: "manual",
			headers: {
				"x-forwarded-host": host,
				"x-forwarded-proto": "https",
				// Node's fetch sends sec-fetch-mode like a browser, and the engine then requires an origin
				origin: `https://${host}`,
				...(sent !== undefined && !form ? { "content-type": "application/json" } : {}),
				...(tenant ? { "x-tenant-id": tenant } : {}),
				...(browser ? { cookie: browser.header() } : {}),
				...(operator ? { authorization: `Bearer ${MANAGEMENT_KEY}` } : {}),
				...headers,
			},
			...(sent === undefined ? {} : { body: sent }),
		});
		browser?.take(response);
		const text = await response.text();
		const json: Record<string, unknown> = text.startsWith("{") ? JSON.parse(text) : {};
		return { status: response.status, location: response.headers.get("location"), text, json };
	};

	const signUp = async (tenant: { id: string; host?: string }, email: string): Promise<Browser> => {
		const browser = new Browser();
		const body = { name: "Ada", email, password: PASSWORD };
		const host = tenant.host ?? HOST;
		const made = await call("/tenant/sign-up/email", { host, tenant: tenant.id, browser, body });
		if (made.status !== 200) throw new Error(`not signed up: ${made.status} ${made.text}`);
		return browser;
	};
	const partyOf = async (slug: string): Promise<Party> => {
		const made = await call("/tenant/create", { operator: true, body: { name: slug, slug } });
		const tenant = { id: String(made.json.id), slug, host: `${slug}.app.example.com` };
		return { ...tenant, browser: await signUp(tenant, "ada@example.com") };
	};
	return {
		world,
		sms,
		call,
		signUp,
		acme: await partyOf("acme"),
		globex: await partyOf("globex"),
		close: async (): Promise<void> => {
			await world.close();
			await smtp.close();
			await sms.close();
		},
	};
};

export type PluginWorld = Awaited<ReturnType<typeof startPlugins>>;
