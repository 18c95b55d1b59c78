import { createAuthClient } from "better-auth/client";
import {
	tenantAdminClient,
	tenantAuthClient,
	tenantInvitationsClient,
	tenantLifecycleClient,
	tenantPolicyClient,
} from "better-auth-tenants/client";
import { NotObservable } from "../check.ts";
import { type Answer, type Ask, type Open, openBrowser } from "../http.ts";
import { cookieHeader, keepCookies } from "./cookie-jar.ts";
import { queryIn } from "./query.ts";

type Called = (input: object, options: object) => Promise<{ data: unknown; error: Failure | null }>;
type Failure = { status: number; statusText: string } & Record<string, unknown>;

/** Calls the functions of the client, such as `authClient.tenant.create(…)`, in a browser that keeps cookies. */
export const callClient: Open = (base, standing = {}) => {
	const browser = openBrowser(base, standing);
	const { cookies } = browser;
	const client = createAuthClient({
		baseURL: base,
		plugins: [
			tenantAuthClient(),
			tenantAdminClient(),
			tenantInvitationsClient(),
			tenantLifecycleClient(),
			tenantPolicyClient(),
		],
		fetchOptions: {
			customFetchImpl: async (input, init) => {
				const headers = new Headers(init?.headers);
				for (const [name, value] of Object.entries(cookieHeader(cookies))) headers.set(name, value);
				if (init?.method === "POST") headers.set("origin", new URL(base).origin);
				const response = await fetch(input, { ...init, headers, redirect: "manual" });
				keepCookies(cookies, response.headers.getSetCookie());
				return response;
			},
		},
	});

	const call = async (path: string, { body, form, text, query, headers }: Ask): Promise<Answer> => {
		if (form || text !== undefined) throw new NotObservable("the client sends JSON");
		let received = new Response();
		const options = {
			headers: { ...standing, ...headers },
			onResponse: ({ response }: { response: Response }) => {
				received = response;
			},
		};
		const url = new URL(base + path);
		const { data, error } = await functionAt(client, path.split("?")[0] ?? path)(
			{
				...(body as object),
				...(query || url.search ? { query: { ...queryIn(url), ...query } } : {}),
				// without fields, the client would send a GET
				...(body !== undefined && Object.keys(body as object).length === 0 ? { fetchOptions: { method: "POST" } } : {}),
			},
			options,
		);
		// what code that uses the client sees: values of successes, and errors with their status
		const { status = 200, statusText: _, ...problem } = error ?? {};
		const json: unknown = JSON.parse(JSON.stringify(error ? problem : data));
		const setCookies = received.headers.getSetCookie();
		return {
			request: `authClient ${path}`,
			status,
			headers: received.headers,
			text: JSON.stringify(json),
			json,
			setCookies,
		};
	};

	return {
		// a callback is a page that the provider opens
		get: (path, ask = {}) => (path.startsWith("/tenant/callback/") ? browser.get(path, ask) : call(path, ask)),
		post: (path, ask = {}) => (path.startsWith("/tenant/callback/") ? browser.post(path, ask) : call(path, ask)),
		visit: browser.visit,
		cookies,
	};
};

/** `/tenant/oauth-config/list` is `client.tenant.oauthConfig.list`. */
const functionAt = (client: object, path: string): Called => {
	let found: unknown = client;
	for (const segment of path.split("/").slice(1))
		found = Reflect.get(
			found as object,
			segment.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
		);
	return found as Called;
};
