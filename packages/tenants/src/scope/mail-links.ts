import type { BetterAuthOptions } from "@better-auth/core";
import { PLATFORM } from "./platform.ts";
import { withTag } from "./tag.ts";
import type { TenantContext } from "./tenant-context.ts";

type Link = { url: string; token: string };

/**
 * Makes the links in mails say their tenant. Whoever opens one sends no header and may have no cookie, so the token in
 * it is tagged, both in the URL and for applications that build their own link from the token alone.
 */
export const tagMailLinks = (options: BetterAuthOptions, pin: TenantContext): void => {
	const tagging = <Sent extends Link, Rest extends unknown[], Result>(send: (sent: Sent, ...rest: Rest) => Result) => {
		return (sent: Sent, ...rest: Rest): Result => send(tagLink(sent, pin.current()), ...rest);
	};
	const { emailVerification, emailAndPassword, user } = options;
	// replaced and not changed in place: the nested objects are the application's own
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

/** The magic-link plugin reads its sender from its options at each call, so that is where it can be reached. */
const tagMagicLinks = ({ plugins }: BetterAuthOptions, tagging: (send: SendLink) => SendLink): void => {
	const options = plugins?.find((plugin) => plugin.id === "magic-link")?.options as MagicLinkOptions | undefined;
	if (!options?.sendMagicLink) return;
	// one plugin object may be mounted in a second engine (hot reload does it): wrap the sender, not the wrapping
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

/** The engine's redirect to the page where a new password is entered shows the bare token; the tag goes back on. */
export const tagRedirect = (location: string, tenantId: string): string | null => {
	if (!URL.canParse(location)) return null;
	const url = new URL(location);
	const token = url.searchParams.get("token");
	if (!token || tenantId === PLATFORM) return null;
	url.searchParams.set("token", withTag(token, tenantId));
	return url.toString();
};
