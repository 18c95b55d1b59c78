type Texts = { title: (tenant: string) => string; email: string; password: string; action: string; legal: string[] };

/** What the sign-in pages say in their languages, as far as the preview shows it. */
export const PREVIEW_TEXTS: Record<string, Texts> = {
	en: {
		title: (tenant) => `Sign in to ${tenant}`,
		email: "Email",
		password: "Password",
		action: "Sign in",
		legal: ["Terms", "Privacy", "Imprint"],
	},
	de: {
		title: (tenant) => `Bei ${tenant} anmelden`,
		email: "E-Mail-Adresse",
		password: "Passwort",
		action: "Anmelden",
		legal: ["Nutzungsbedingungen", "Datenschutz", "Impressum"],
	},
	fr: {
		title: (tenant) => `Connexion à ${tenant}`,
		email: "Adresse e-mail",
		password: "Mot de passe",
		action: "Se connecter",
		legal: ["Conditions", "Confidentialité", "Mentions légales"],
	},
	es: {
		title: (tenant) => `Iniciar sesión en ${tenant}`,
		email: "Correo electrónico",
		password: "Contraseña",
		action: "Iniciar sesión",
		legal: ["Condiciones", "Privacidad", "Aviso legal"],
	},
	ja: {
		title: (tenant) => `${tenant}にサインイン`,
		email: "メールアドレス",
		password: "パスワード",
		action: "サインイン",
		legal: ["利用規約", "プライバシー", "運営者情報"],
	},
};

export const LOCALE_NAMES: Record<string, string> = {
	en: "English",
	de: "German",
	fr: "French",
	es: "Spanish",
	ja: "Japanese",
};
