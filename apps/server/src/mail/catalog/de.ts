import type { Catalog } from "./en.ts";

/** German, with the formal "Sie". */
export const de: Catalog = {
	orOpen: "Oder öffnen Sie diese Adresse:",
	verification: {
		subject: ({ tenant }) => `Bestätigen Sie Ihre E-Mail-Adresse für ${tenant}`,
		opening: ({ tenant }) =>
			`Bitte bestätigen Sie für Ihr Konto bei ${tenant}, dass diese E-Mail-Adresse Ihnen gehört.`,
		action: "E-Mail-Adresse bestätigen",
		closing: (duration) =>
			`Der Link ist ${duration} gültig. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.`,
	},
	passwordReset: {
		subject: ({ tenant }) => `Setzen Sie Ihr Passwort für ${tenant} zurück`,
		opening: ({ tenant }) => `Jemand möchte das Passwort Ihres Kontos bei ${tenant} zurücksetzen.`,
		action: "Neues Passwort wählen",
		closing: (duration) =>
			`Der Link ist ${duration} gültig. Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Ihr Passwort bleibt unverändert.`,
	},
	emailChange: {
		subject: ({ tenant }) => `Bestätigen Sie die Änderung Ihrer E-Mail-Adresse für ${tenant}`,
		opening: ({ tenant, newAddress }) =>
			`Jemand möchte die E-Mail-Adresse Ihres Kontos bei ${tenant} in ${newAddress} ändern.`,
		action: "Änderung bestätigen",
		closing: (duration) =>
			`Der Link ist ${duration} gültig. Falls Sie das nicht waren, verwenden Sie den Link nicht und ändern Sie Ihr Passwort: Möglicherweise ist jemand in Ihrem Konto angemeldet.`,
	},
	accountDeletion: {
		subject: ({ tenant }) => `Bestätigen Sie die Löschung Ihres Kontos bei ${tenant}`,
		opening: ({ tenant }) => `Jemand möchte Ihr Konto bei ${tenant} löschen. Das lässt sich nicht rückgängig machen.`,
		action: "Mein Konto löschen",
		closing: (duration) =>
			`Der Link ist ${duration} gültig. Falls Sie das nicht waren, verwenden Sie den Link nicht und ändern Sie Ihr Passwort: Möglicherweise ist jemand in Ihrem Konto angemeldet.`,
	},
	magicLink: {
		subject: ({ tenant }) => `Ihr Anmeldelink für ${tenant}`,
		opening: ({ tenant }) => `Mit diesem Link melden Sie sich bei ${tenant} an.`,
		action: "Anmelden",
		closing: (duration) =>
			`Der Link ist ${duration} gültig und funktioniert nur einmal. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese E-Mail.`,
	},
	oneTimeCode: {
		subject: ({ tenant }) => `Ihr Code für ${tenant}`,
		openings: {
			"sign-in": ({ tenant }) => `Mit diesem Code melden Sie sich bei ${tenant} an.`,
			"email-verification": ({ tenant }) => `Mit diesem Code bestätigen Sie Ihre E-Mail-Adresse bei ${tenant}.`,
			"forget-password": ({ tenant }) => `Mit diesem Code setzen Sie Ihr Passwort bei ${tenant} zurück.`,
			"change-email": ({ tenant }) => `Mit diesem Code ändern Sie Ihre E-Mail-Adresse bei ${tenant}.`,
			other: ({ tenant }) => `Hier ist Ihr Code für ${tenant}.`,
		},
		closing: (duration) =>
			`Der Code ist ${duration} gültig. Geben Sie ihn nur auf der Seite ein, auf der Sie gerade sind. Falls Sie das nicht waren, ignorieren Sie diese E-Mail.`,
	},
	twoFactorCode: {
		subject: ({ tenant }) => `Ihr zweiter Faktor für ${tenant}`,
		opening: ({ tenant }) => `Mit diesem Code schließen Sie Ihre Anmeldung bei ${tenant} ab.`,
		closing: (duration) =>
			`Der Code ist ${duration} gültig. Falls Sie das nicht waren, kennt jemand Ihr Passwort: Ändern Sie es.`,
	},
	accountExists: {
		subject: ({ tenant }) => `Sie haben bereits ein Konto bei ${tenant}`,
		opening: ({ tenant }) =>
			`Jemand wollte sich bei ${tenant} mit dieser E-Mail-Adresse registrieren, für die es bereits ein Konto gibt. Melden Sie sich stattdessen an. Falls Sie Ihr Passwort vergessen haben, setzen Sie es auf der Anmeldeseite zurück.`,
		closing: () => "Falls Sie das nicht waren, ignorieren Sie diese E-Mail: Es wurde nichts geändert.",
	},
	invitation: {
		subject: ({ tenant, organization }) => `Einladung zu ${organization} bei ${tenant}`,
		opening: ({ tenant, organization, inviter }) =>
			`${inviter} lädt Sie ein, ${organization} bei ${tenant} beizutreten.`,
		action: "Einladung ansehen",
		closing: (duration) =>
			`Die Einladung ist ${duration} gültig. Falls Sie sie nicht erwartet haben, ignorieren Sie diese E-Mail.`,
	},
	tenantInvitation: {
		subject: ({ tenant }) => `Einladung zu ${tenant}`,
		openings: {
			byUser: ({ tenant, inviter }) => `${inviter} lädt Sie zu ${tenant} ein.`,
			byOperator: ({ tenant }) => `Sie sind zu ${tenant} eingeladen.`,
		},
		action: "Einladung ansehen",
		closing: (duration) =>
			`Die Einladung ist ${duration} gültig und funktioniert einmal. Falls Sie sie nicht erwartet haben, ignorieren Sie diese E-Mail.`,
	},
};
