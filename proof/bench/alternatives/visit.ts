import { Browser } from "test-kit/browser";

/** The handler of a tenant's requests, and how a request names the tenant. */
export type Served = {
	handler: (request: Request) => Promise<Response>;
	origin: string;
	headers: Record<string, string>;
};

const PASSWORD = "correct horse battery";

/** Signs a user up; throws unless it succeeds. */
export const signUp = async (served: Served, email: string): Promise<void> => {
	await send(served, "/sign-up/email", { body: { name: "Ada", email, password: PASSWORD } });
};

/** Signs a user in and returns the cookies. */
export const signIn = async (served: Served, email: string): Promise<string> => {
	const { response } = await send(served, "/sign-in/email", { body: { email, password: PASSWORD } });
	const browser = new Browser();
	browser.take(response);
	return browser.header();
};

/** Reads the session, which must be the expected user's. */
export const getSession = async (served: Served, cookie: string, email: string): Promise<void> => {
	const { text } = await send(served, "/get-session", { cookie });
	const found = (JSON.parse(text) as { user: { email: string } } | null)?.user.email;
	if (found !== email) throw new Error(`The session belongs to ${found}, not to ${email}`);
};

const send = async (
	{ handler, origin, headers }: Served,
	path: string,
	{ body, cookie }: { body?: unknown; cookie?: string },
) => {
	const response = await handler(
		new Request(`${origin}/api/auth${path}`, {
			method: body === undefined ? "GET" : "POST",
			headers: {
				origin,
				...(body === undefined ? {} : { "content-type": "application/json" }),
				...(cookie === undefined ? {} : { cookie }),
				...headers,
			},
			body: body === undefined ? null : JSON.stringify(body),
		}),
	);
	const text = await response.text();
	if (response.status !== 200) throw new Error(`${path} returned ${response.status} ${text}`);
	return { response, text };
};
