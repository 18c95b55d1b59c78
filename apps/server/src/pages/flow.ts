import type { PagePath } from "../lib/page-paths.ts";
import { readReturnURL } from "./return-url.ts";

/** Parameters of the pages themselves. All others of a signed query belong to the OAuth provider. */
const OWN = ["returnTo", "error", "error_description", "notice", "for", "step", "methods", "token", "second_factor"];
/** Added by the OAuth provider when it signed the query. */
const OF_THE_SIGNATURE = /^(sig|exp|ba_.*)$/;
const LONGEST = 8192;

type FlowWith = {
	search: string;
	ownOrigin: string;
	isTrusted: (origin: string) => boolean;
	/** `/t/acme`, or nothing */
	base: string;
	basePath: string;
};

export type Flow = ReturnType<typeof readFlow>;

/** Where a visitor came from and goes back to. It travels in the URL of each page, and is checked on each. */
export const readFlow = ({ search, ownOrigin, isTrusted, base, basePath }: FlowWith) => {
	const query = new URLSearchParams(search.length > LONGEST ? "" : search);
	const asked = query.get("returnTo");
	const returnTo = readReturnURL(asked, ownOrigin, isTrusted);
	const oauth = new URLSearchParams([...query].filter(([name]) => !OWN.includes(name)));
	const oauthQuery = query.has("sig") && query.has("client_id") ? oauth.toString() : null;
	/** the path and query of a page, with the flow */
	const link = (page: PagePath, more: Record<string, string> = {}): string => {
		const carried = new URLSearchParams(oauthQuery ?? "");
		if (returnTo !== null) carried.set("returnTo", returnTo);
		for (const [name, value] of Object.entries(more)) carried.set(name, value);
		// Better Auth accepts fewer characters in a relative URL than URLSearchParams leaves
		const text = carried.toString().replaceAll("*", "%2A");
		return `${base}${page}${text ? `?${text}` : ""}`;
	};
	return {
		query,
		returnTo,
		/** a return URL was given, but it is not allowed */
		isReturnRefused: asked !== null && asked !== "" && returnTo === null,
		/** the signed query of the OAuth provider, if it sent the visitor here */
		oauthQuery,
		link,
		/** The return URL if it leads to this page; null otherwise. */
		returnsTo: (page: PagePath): string | null =>
			returnTo !== null && returnTo.split("?", 1)[0] === `${base}${page}` ? returnTo : null,
		/** Where to go when nothing is left to do. */
		end: (): string => {
			if (oauthQuery === null) return returnTo ?? link("/signed-in");
			// begins the authorization again, with the session: a signature is only valid for minutes
			const again = new URLSearchParams([...oauth].filter(([name]) => !OF_THE_SIGNATURE.test(name)));
			return `${base}${basePath}/oauth2/authorize?${again}`;
		},
	};
};
