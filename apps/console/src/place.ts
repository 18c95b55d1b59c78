const { base = "", api = "/api/auth", signIn = "" } = document.documentElement.dataset;

/** Where the console is served. The service writes it into the page, because a tenant can have a host or a path. */
export const PLACE = {
	/** what stands before `/console`: `/t/acme`, or nothing */
	base,
	/** the URL of Better Auth's endpoints, on this origin */
	api: new URL(`${base}${api}`, location.origin).href,
	/** the path of the tenant's sign-in page; empty if the console has to ask for the password itself */
	signIn,
	/** where the router's paths begin */
	console: `${base}/console`,
};
