import type { Locale } from "../lib/locales.ts";
import { catalogs } from "./catalog/catalogs.ts";
import type { Catalog } from "./catalog/en.ts";
import type { Names } from "./catalog/names.ts";
import type { LetterRequest } from "./letter-request.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { cleanName, unlinkedName } from "./names.ts";

/** The contents of a mail, in its language. The layout is the same for all. */
export type Letter = {
	locale: Locale;
	/** whom it is from: the tenant, or the server */
	title: string;
	subject: string;
	/** what happened and what to do, in a sentence or two */
	opening: string;
	/** a link to follow or a code to enter; neither in a mere notification */
	link?: { label: string; url: string; orOpen: string };
	code?: string;
	/** how long it is valid, and what to do if the reader did not ask for it */
	closing: string;
};

/** In whose name a letter is written. `slug` is null for the server. */
export type Writer = { name: string; slug: string | null; locale: Locale };

type Texts<Subject, Opening> = {
	subject: (names: Subject) => string;
	opening: (names: Opening) => string;
	closing: (duration: string) => string;
};

/** Writes a letter in the name of a tenant, or of the server. */
export const writeLetter = (request: LetterRequest, { name, slug, locale }: Writer): Letter => {
	const catalog = catalogs[locale];
	const { orOpen } = catalog;

	/** The only place where names reach a text: clean in the subject, and never a link in the body. */
	const write = <Given extends Names>(texts: Texts<Given, Given>, names: Given): Omit<Letter, "link" | "code"> => ({
		locale,
		title: unlinkedName(name),
		subject: texts.subject(mapNames(names, cleanName)),
		opening: texts.opening(mapNames(names, unlinkedName)),
		closing: texts.closing(request.kind === "accountExists" ? "" : spoken(LIFETIMES[request.kind], locale)),
	});
	const own = { tenant: name };

	switch (request.kind) {
		case "verification":
		case "passwordReset":
		case "accountDeletion":
		case "magicLink": {
			const texts = catalog[request.kind];
			return { ...write(texts, own), link: { label: texts.action, url: request.url, orOpen } };
		}
		case "emailChange": {
			const texts = catalog.emailChange;
			const letter = write(texts, { ...own, newAddress: request.newAddress });
			return { ...letter, link: { label: texts.action, url: request.url, orOpen } };
		}
		case "oneTimeCode": {
			const opening = openingFor(request.purpose, catalog.oneTimeCode.openings);
			return { ...write({ ...catalog.oneTimeCode, opening }, own), code: request.code };
		}
		case "twoFactorCode":
			return { ...write(catalog.twoFactorCode, own), code: request.code };
		case "accountExists":
			return write(catalog.accountExists, own);
		case "invitation": {
			const texts = catalog.invitation;
			const letter = write(texts, { ...own, organization: request.organization, inviter: request.inviter });
			return { ...letter, link: { label: texts.action, url: invitationPage(request, slug), orOpen } };
		}
		case "tenantInvitation": {
			const { openings, ...texts } = catalog.tenantInvitation;
			const { inviter, url } = request;
			const letter =
				inviter === null
					? write({ ...texts, opening: openings.byOperator }, own)
					: write({ ...texts, opening: openings.byUser }, { ...own, inviter });
			return { ...letter, link: { label: texts.action, url, orOpen } };
		}
		default:
			// added by a newer version of the service, which will send it
			throw new Error("This version does not know the kind of the mail");
	}
};

const mapNames = <Given extends Record<string, string>>(names: Given, clean: (name: string) => string): Given =>
	Object.fromEntries(Object.entries(names).map(([key, name]) => [key, clean(name)])) as Given;

/** An own property only: the purpose of a mail that another version stored may be any string. */
const openingFor = (purpose: string, openings: Catalog["oneTimeCode"]["openings"]) =>
	Object.entries(openings).find(([key]) => key === purpose)?.[1] ?? openings.other;

/** Formats seconds as hours or minutes, in the words of the language. */
const spoken = (seconds: number, locale: Locale): string => {
	const [count, unit] = seconds >= 7_200 ? [seconds / 3_600, "hour"] : [seconds / 60, "minute"];
	return new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "long" }).format(count);
};

const invitationPage = ({ page, id }: { page: string; id: string }, slug: string | null): string =>
	page.replaceAll(":tenant", slug ?? "").replaceAll(":id", encodeURIComponent(id));
