import type { Branding } from "../branding/branding.ts";

/** The headers of every page. Nothing inline runs, nothing is loaded from elsewhere but the tenant's logo. */
export const pageHeaders = ({ logo }: Branding): Record<string, string> => ({
	"content-type": "text/html; charset=utf-8",
	"cache-control": "no-store",
	"content-security-policy": [
		"default-src 'none'",
		"script-src 'self'",
		"style-src 'self'",
		`img-src 'self'${logo ? ` ${new URL(logo).origin}` : ""}`,
		"connect-src 'self'",
		// a form's response that leads elsewhere is a page with a refresh, which this does not limit
		"form-action 'self'",
		"base-uri 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	].join("; "),
	// with no-referrer, browsers send "Origin: null" with forms, and the origin could not be checked
	"referrer-policy": "same-origin",
	"permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
	"cross-origin-resource-policy": "same-origin",
});
