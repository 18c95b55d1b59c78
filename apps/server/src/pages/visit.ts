import type { SignInMethods } from "better-auth-tenants";
import type { EngineCall } from "../http/engine.ts";
import type { PageCatalog } from "./catalog/en.ts";
import type { Flow } from "./flow.ts";
import type { FlowCookie, flowCookies } from "./flow-cookies.ts";
import type { View } from "./view/layout.ts";

/** A response of Better Auth to a call of a page. */
export type EngineAnswer = {
	ok: boolean;
	status: number;
	json: Record<string, unknown>;
	/** the error code; null if there is none */
	code: string | null;
	/** where Better Auth sends the visitor, by a redirect or in the body */
	url: string | null;
};

/** A request for a page of a tenant, with all that a page may use. */
export type Visit = {
	/** the tenant's name, as visitors see it */
	name: string;
	methods: SignInMethods;
	/** whether Better Auth has just removed the password that the visitor signed up with */
	isPasswordRemoved: boolean;
	/** whether the service can send mail */
	hasMail: boolean;
	texts: PageCatalog;
	flow: Flow;
	/** the API for the pages' script */
	api: string;
	/** the fields of the form; empty unless one was sent */
	form: URLSearchParams;
	cookies: Pick<ReturnType<typeof flowCookies>, "read"> & {
		set(name: FlowCookie, value: string): void;
		remove(name: FlowCookie): void;
	};
	/** Calls an endpoint of Better Auth for the visitor. Its cookies become those of the page's response. */
	ask(call: EngineCall): Promise<EngineAnswer>;
};

/** What a page responds with. `to` is checked: a path, or a URL that Better Auth or the return URL's check allowed. */
export type PageAnswer = ({ view: View } | { to: string }) & { status?: number };

type PageHandler = (visit: Visit) => Promise<PageAnswer>;
export type Page = { get: PageHandler; post?: PageHandler };

/** The value of a form's field, without the spaces around it. */
export const fieldOf = ({ form }: Visit, name: string): string => (form.get(name) ?? "").trim().slice(0, 1024);

/** The address of the user who is signed in to this tenant; null if nobody is. */
export const signedInEmail = async ({ ask }: Visit): Promise<string | null> => {
	const { user } = (await ask({ method: "GET", path: "/get-session" })).json;
	const email = typeof user === "object" && user !== null && "email" in user ? user.email : null;
	return typeof email === "string" ? email : null;
};
