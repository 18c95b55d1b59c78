import type { BetterAuthOptions } from "@better-auth/core";
import { PLATFORM } from "../pin/platform.ts";
import { withTag } from "../pin/tag.ts";
import type { TenantContext } from "../pin/tenant-context.ts";

type Link = { url: string; token: string };

/**
 * Adds the tenant to links in emails. A browser that opens a link sends no tenant header and may have no cookie. So the
 * token is tagged, both in the URL and for applications that build their own link from the token.
 */
export const tagMailLinks = (options: BetterAuthOptions, pin: TenantContext): void => {
	const tagging = <Sent extends Link, Rest extends unknown[], Result>(send: (sent: Sent, ...rest: Rest) => Result) => {
		return (sent: Sent, ...rest: Rest): Result => send(tagLink(sent, pin.current()), ...rest);
	};
	const { emailVerification, emailAndPassword, user } = options;
	// replaced instead of changed, because the nested objects belong to the application
	if (emailVerification?.sendVerificationEmail) {
		options.emailVerification = {
			...emailVerification,
			sendVerificationEmail: tagging(emailVerification.sendVerificationEmail),
		};
	}
	if (emailAndPassword?.sendResetPassword) {
		options.emailAndPassword = { ...emailAndPassword, sendResetPassword: tagging(emailAndPassword.sendResetPassword) };
	}
	const confirm = user?.changeEmail?.sendChangeEmailConfirmation;
	if (user?.changeEmail && confirm) {
		options.user = { ...user, changeEmail: { ...user.changeEmail, sendChangeEmailConfirmation: tagging(confirm) } };
	}
	tagMagicLinks(options, tagging);
};

const UNTAGGED = Symbol.for("better-auth-tenants.untagged-sender");
type SendLink = (sent: Link, ...rest: unknown[]) => unknown;
type MagicLinkOptions = { sendMagicLink?: SendLink & { [UNTAGGED]?: SendLink } };

/** The magic-link plugin reads `sendMagicLink` from its options at each call, so it is replaced there. */
const tagMagicLinks = ({ plugins }: BetterAuthOptions, tagging: (send: SendLink) => SendLink): void => {
	const options = plugins?.find((plugin) => plugin.id === "magic-link")?.options as MagicLinkOptions | undefined;
	if (!options?.sendMagicLink) return;
	// a second instance of Better Auth may use the same plugin object (hot reload), so never wrap the wrapper
	const send = options.sendMagicLink[UNTAGGED] ?? options.sendMagicLink;
	options.sendMagicLink = Object.assign(tagging(send), { [UNTAGGED]: send });
};

const tagLink = <Sent extends Link>(sent: Sent, tenantId: string): Sent => {
	if (tenantId === PLATFORM) return sent;
	const token = withTag(sent.token, tenantId);
	const url = new URL(sent.url);
	if (url.searchParams.get("token") === sent.token) url.searchParams.set("token", token);
	else url.pathname = url.pathname.replace(`/${sent.token}`, `/${token}`);
	return { ...sent, url: url.toString(), token };
};

/** Adds the tag to the token in the engine's redirect to the reset-password page. */
export const tagRedirect = (location: string, tenantId: string): string | null => {
	if (!URL.canParse(location)) return null;
	const url = new URL(location);
	const token = url.searchParams.get("token");
	if (!token || tenantId === PLATFORM) return null;
	url.searchParams.set("token", withTag(token, tenantId));
	return url.toString();
};
