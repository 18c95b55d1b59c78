import type { Child } from "../view/h.ts";
import { icon, providerIcon } from "../view/icons.ts";
import { form, linkButton, secondary } from "../view/parts.ts";
import type { Visit } from "../visit.ts";

/** The ways to sign in without a password that also create accounts. */
export const otherMethods = ({ texts, methods, flow }: Visit, returnTo?: string): Child[] => {
	const { providers, sso, magicLink, emailOtp } = methods;
	const more: Record<string, string> = returnTo === undefined ? {} : { returnTo };
	const buttons = [
		...providers.map(({ id, name }) =>
			secondary(texts.signIn.with(name), { name: "provider", value: id }, providerIcon(id)),
		),
		...sso.map(({ id }) => secondary(texts.signIn.sso(id), { name: "sso", value: id }, icon("building"))),
	];
	return [
		...(buttons.length > 0 ? [form(flow.link("/continue", more), ...buttons)] : []),
		...(magicLink.enabled
			? [linkButton(flow.link("/email-link", more), texts.signIn.emailLink, false, icon("mail"))]
			: []),
		...(emailOtp.enabled
			? [linkButton(flow.link("/email-code", more), texts.signIn.emailCode, false, icon("digits"))]
			: []),
	];
};
