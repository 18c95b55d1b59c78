import type { PagePath } from "../lib/page-paths.ts";
import type { Flow } from "./flow.ts";

/**
 * Where a visitor goes first who came by a link or a provider and lacks a second factor: Better Auth's redirect says so in the
 * URL. Null if nothing is missing. Whoever writes it into a URL only opens another page.
 */
export const secondFactorFirst = (page: PagePath, flow: Flow): string | null => {
	const missing = flow.query.get("second_factor");
	if (missing !== "verify" && missing !== "enroll") return null;
	const target = missing === "verify" ? "/two-factor" : "/set-up-two-factor";
	if (page === target) return null;
	const more: Record<string, string> = missing === "verify" ? { methods: "totp.otp" } : {};
	if (page === "/accept-invitation") more.returnTo = flow.link(page, { step: "joined" });
	return flow.link(target, more);
};
