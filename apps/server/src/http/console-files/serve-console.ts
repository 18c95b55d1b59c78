import { notFound } from "../../request/answers.ts";
import type { AppContext } from "../../request/environment.ts";
import type { ConsolePlace } from "./console-paths.ts";
import { type ConsoleFile, openFiles } from "./open-files.ts";

/** Nothing inline runs, nothing comes from elsewhere, no page shows the console in a frame. */
const POLICY = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self'",
	"img-src 'self'",
	"connect-src 'self'",
	"form-action 'self'",
	"base-uri 'none'",
	"frame-ancestors 'none'",
	"require-trusted-types-for 'script'",
	"trusted-types 'none'",
].join("; ");

const FOREVER = "public, max-age=31536000, immutable";

type ServeWith = {
	basePath: string;
	/** Whether the sign-in pages are on, and this host or path is a tenant's. */
	hasSignInPage: (c: AppContext, base: string) => boolean;
	/** the build of apps/console */
	files?: Map<string, ConsoleFile>;
};

/** Serves the console's files. The page is the same for everybody: what it shows comes from the API. */
export const serveConsole = ({ basePath, hasSignInPage, files = openFiles() }: ServeWith) => {
	const index = files.get("index.html")?.body.toString("utf8");
	if (!index) throw new Error("The console is not built. Run pnpm build.");

	const page = (base: string, signIn: string): Response =>
		new Response(
			// no value has a character that ends an attribute: they are a checked slug, a checked variable and a constant
			index
				.replace('data-base=""', () => `data-base="${base}"`)
				.replace('data-api="/api/auth"', () => `data-api="${basePath}"`)
				.replace('data-sign-in=""', () => `data-sign-in="${signIn}"`),
			{
				headers: {
					"content-type": "text/html; charset=utf-8",
					"cache-control": "no-store",
					"content-security-policy": POLICY,
					"referrer-policy": "same-origin",
					"permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
					"cross-origin-resource-policy": "same-origin",
				},
			},
		);

	return async (c: AppContext, place: ConsolePlace): Promise<Response> => {
		if (c.req.method !== "GET" && c.req.method !== "HEAD") return notFound();
		if ("base" in place) return page(place.base, hasSignInPage(c, place.base) ? `${place.base}/sign-in` : "");
		const file = files.get(place.file);
		return file ? sendFile(c, place.file, file) : notFound();
	};
};

const sendFile = async (c: AppContext, name: string, { type, body, zipped }: ConsoleFile): Promise<Response> => {
	const isZipped = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
	return new Response(new Uint8Array(isZipped ? await zipped() : body), {
		headers: {
			"content-type": type,
			// the name of an asset changes with its contents
			"cache-control": name.startsWith("assets/") ? FOREVER : "public, max-age=3600",
			vary: "accept-encoding",
			...(isZipped ? { "content-encoding": "gzip" } : {}),
			"cross-origin-resource-policy": "same-origin",
		},
	});
};
