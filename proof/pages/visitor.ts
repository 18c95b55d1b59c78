import { createHash } from "node:crypto";
import { createOTP } from "@better-auth/utils/otp";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openWatched, type Watched } from "test-kit/chromium/watched";
import { codeIn, linkIn } from "test-kit/servers/smtp";
import { LOGO, SHOP, type Tenant, type World } from "./world.ts";

export const EMAIL = "ada@example.com";
export const PASSWORD = "correct horse battery";

const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 132 40"><rect width="40" height="40" rx="10" fill="#0057b8"/><path d="M10 29 20 11l10 18" fill="none" stroke="#fff" stroke-width="4" stroke-linejoin="round"/><text x="50" y="28" font-family="sans-serif" font-weight="700" font-size="24" fill="#0057b8">acme</text></svg>`;

/** A browser at a tenant's pages. The tenant's logo and the shop it returns to are other sites. */
export const openContext = (browser: Browser, { origin }: Tenant, options: Watched, wrong: string[]) =>
	openWatched(browser, origin, wrong, {
		...options,
		elsewhere: (url) => {
			if (url === LOGO) return { contentType: "image/svg+xml", body: MARK };
			if (url.startsWith(SHOP)) return { contentType: "text/html", body: "<title>Shop</title>" };
			return undefined;
		},
	});

export type Visitor = ReturnType<typeof createVisitor>;

/** What a visitor of a tenant does in Chromium. */
export const createVisitor = (page: Page, context: BrowserContext, { origin }: Tenant, { smtp }: World) => {
	const open = (path: string) => page.goto(origin + path);
	const fill = async (fields: Record<string, string>): Promise<void> => {
		for (const [name, value] of Object.entries(fields)) await page.fill(`input[name="${name}"]`, value);
	};
	const send = async (): Promise<void> => {
		await Promise.all([page.waitForNavigation(), page.click("form .button.primary")]);
	};
	/** Calls the API as the page's script could. */
	const call = (path: string, body?: object): Promise<Record<string, unknown>> =>
		page.evaluate(
			async ([at, sent]) => {
				const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(sent) };
				return (await fetch(`/api/auth${at}`, sent ? init : {})).json();
			},
			[path, body] as const,
		);
	return {
		page,
		context,
		open,
		/** Clicks a link. */
		follow: async (selector: string): Promise<void> => {
			await Promise.all([page.waitForNavigation(), page.click(selector)]);
		},
		fill,
		send,
		call,
		mailedLink: async (email: string, subject: RegExp): Promise<string> => {
			const url = new URL(linkIn(await smtp.mailTo(email, subject)));
			return `${url.pathname}${url.search}`;
		},
		mailedCode: async (email: string, subject: RegExp): Promise<string> => codeIn(await smtp.mailTo(email, subject)),
		signIn: async (email: string, password = PASSWORD, query = ""): Promise<void> => {
			await open(`/sign-in${query}`);
			await fill({ email, password });
			await send();
		},
		signOut: async (): Promise<void> => {
			await open("/sign-out");
			await send();
		},
		authorizeURL: (clientId: string): string =>
			`/api/auth/oauth2/authorize?${new URLSearchParams({
				client_id: clientId,
				redirect_uri: `${SHOP}/callback`,
				response_type: "code",
				scope: "openid email profile offline_access",
				state: "state",
				code_challenge: createHash("sha256")
					.update("a-verifier-of-more-than-43-characters-for-pkce")
					.digest("base64url"),
				code_challenge_method: "S256",
			})}`,
		/** Turns the second factor on. Returns a function for its codes. */
		enableSecondFactor: async (): Promise<() => Promise<string>> => {
			const { totpURI } = await call("/two-factor/enable", { password: PASSWORD });
			const secret = new URL(String(totpURI)).searchParams.get("secret") ?? "";
			const bytes = base32(secret);
			const code = () => createOTP(bytes).totp();
			await call("/two-factor/verify-totp", { code: await code() });
			return code;
		},
	};
};

/** RFC 4648, section 6. The URI contains the secret in this form. */
export const base32 = (text: string): string => {
	let bits = "";
	for (const letter of text.replace(/=+$/, ""))
		bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0");
	const bytes = bits.match(/.{8}/g) ?? [];
	return Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2))).toString();
};
