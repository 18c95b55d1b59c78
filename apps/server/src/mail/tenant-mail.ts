import * as z from "zod";
import { LOCALES } from "../lib/locales.ts";
import { domainOf, normalizeAddress } from "../lib/mail-address.ts";
import { shownName } from "./names.ts";

const address = () =>
	z
		.string({ error: "is not one address. Use the form noreply@acme.com" })
		.transform((given, ctx) => {
			const normal = normalizeAddress(given);
			if (normal !== null) return normal;
			ctx.addIssue("is not one address. Use the form noreply@acme.com");
			return z.NEVER;
		})
		.optional();

const NAME = 'is not a name. Use 1 to 64 characters on one line, without < > @ " \\ and =?';

const fields = {
	locale: z.enum(LOCALES, { error: `is unknown. Use one of ${LOCALES.join(", ")}` }).optional(),
	senderName: z
		.string({ error: NAME })
		// refused, not cleaned: operators see what recipients will see
		.refine((name) => /^[^<>@"\\\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(name) && !name.includes("=?"), { error: NAME })
		.refine((name) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(shownName(name)), { error: NAME })
		.optional(),
	from: address(),
	replyTo: address(),
};

const settings = z.strictObject(fields, {
	error: ({ code }) =>
		code === "unrecognized_keys"
			? `has an unknown field. Use only ${Object.keys(fields).join(", ")}`
			: 'is not an object. Use the form {"locale":"de"}',
});

/** How mails of a tenant look: `mail` in its metadata. Addresses are normalized. */
export type TenantMail = z.output<typeof settings>;

const stored = z.object({
	locale: fields.locale.catch(undefined),
	senderName: fields.senderName.catch(undefined),
	from: fields.from.catch(undefined),
	replyTo: fields.replyTo.catch(undefined),
});

/** Reads stored settings, which may have been written in another way. Leaves out each field that is invalid. */
export const readTenantMail = (given: unknown): TenantMail => stored.safeParse(given).data ?? {};

/** Returns what is wrong with the settings, and the fixes. Empty if they are valid or not set. */
export const problemsOf = (given: unknown, senderDomains: string[]): string[] => {
	if (given === undefined || given === null) return [];
	const issues = settings.safeParse(given).error?.issues ?? [];
	const { from } = readTenantMail(given);
	return [
		...new Set(issues.map(({ path, message }) => `${["metadata.mail", ...path].join(".")} ${message}`)),
		// does not repeat the list, which is the same for all tenants
		...(from !== undefined && !senderDomains.includes(domainOf(from)) ? [OTHER_DOMAIN] : []),
	];
};

const OTHER_DOMAIN =
	"metadata.mail.from is at a domain that tenants may not send from. Use another one, or add it to MAIL_SENDER_DOMAINS";
