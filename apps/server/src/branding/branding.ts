import * as z from "zod";
import { LOCALES } from "../lib/locales.ts";
import { contrast } from "./contrast.ts";

/** The background of forms in light mode. Buttons must stand out from it. */
const SURFACE = "#ffffff";
/** For parts of a control (WCAG 2.2, 1.4.11). */
const LEAST = 3;

const NAME = "is not a name. Use 1 to 64 characters on one line";
const COLOR = "is not a color. Use the form #0057b8";
const LINK = "is not an https URL. Use the form https://acme.com/privacy, without spaces, quotes, ; and ,";

const name = () =>
	z
		.string({ error: NAME })
		// refused, not cleaned: operators see what users will see
		.refine((given) => /^[^\p{C}\p{Zl}\p{Zp}]{1,64}$/u.test(given) && /[\p{L}\p{N}]/u.test(given), { error: NAME });

const color = () =>
	z
		.string({ error: COLOR })
		.regex(/^#[0-9a-f]{6}$/i, { error: COLOR })
		.transform((given) => given.toLowerCase());

/** Kept in its normalized form, which contains nothing that ends a source in a content security policy. */
const link = () =>
	z.string({ error: LINK }).transform((given, ctx) => {
		const url = given.length <= 2048 && !/\s/.test(given) ? URL.parse(given) : null;
		// a host with * would be a wildcard there
		const isPlain = url !== null && !url.hostname.includes("*") && !/[\s;,'"<>\\]/.test(url.href);
		if (isPlain && url.protocol === "https:" && !url.username && !url.password) return url.href;
		ctx.addIssue(LINK);
		return z.NEVER;
	});

const fields = {
	name: name().optional(),
	logo: link().optional(),
	primaryColor: color()
		.refine((given) => contrast(given, SURFACE) >= LEAST, {
			error: `has too little contrast to white. Use a darker color, with a contrast of at least ${LEAST}`,
		})
		.optional(),
	backgroundColor: color().optional(),
	terms: link().optional(),
	privacy: link().optional(),
	imprint: link().optional(),
	locale: z.enum(LOCALES, { error: `is unknown. Use one of ${LOCALES.join(", ")}` }).optional(),
};

const settings = z.strictObject(fields, {
	error: ({ code }) =>
		code === "unrecognized_keys"
			? `has an unknown field. Use only ${Object.keys(fields).join(", ")}`
			: 'is not an object. Use the form {"primaryColor":"#0057b8"}',
});

/** How a tenant's pages look: `branding` in its metadata. */
export type Branding = z.output<typeof settings>;

const stored = z.object({
	name: fields.name.catch(undefined),
	logo: fields.logo.catch(undefined),
	primaryColor: fields.primaryColor.catch(undefined),
	backgroundColor: fields.backgroundColor.catch(undefined),
	terms: fields.terms.catch(undefined),
	privacy: fields.privacy.catch(undefined),
	imprint: fields.imprint.catch(undefined),
	locale: fields.locale.catch(undefined),
});

/** Reads stored branding, which may have been written in another way. Leaves out each field that is invalid. */
export const readBranding = (given: unknown): Branding => stored.safeParse(given).data ?? {};

/** Returns what is wrong with branding, and the fixes. Empty if it is valid or not set. */
export const brandingProblems = (given: unknown): string[] => {
	if (given === undefined || given === null) return [];
	const issues = settings.safeParse(given).error?.issues ?? [];
	return [...new Set(issues.map(({ path, message }) => `${["metadata.branding", ...path].join(".")} ${message}`))];
};
