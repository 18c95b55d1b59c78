import type { Catalog } from "./en.ts";

/** French, with "vous". Spaces before colons do not break. */
export const fr: Catalog = {
	orOpen: "Ou ouvrez cette adresse\u00a0:",
	verification: {
		subject: ({ tenant }) => `Confirmez votre adresse e-mail pour ${tenant}`,
		opening: ({ tenant }) =>
			`Veuillez confirmer que cette adresse e-mail est bien la vôtre, pour votre compte chez ${tenant}.`,
		action: "Confirmer l’adresse e-mail",
		closing: (duration) =>
			`Ce lien est valable pendant ${duration}. Si vous ne l’avez pas demandé, ignorez cet e-mail.`,
	},
	passwordReset: {
		subject: ({ tenant }) => `Réinitialisez votre mot de passe pour ${tenant}`,
		opening: ({ tenant }) => `Quelqu’un a demandé la réinitialisation du mot de passe de votre compte chez ${tenant}.`,
		action: "Choisir un nouveau mot de passe",
		closing: (duration) =>
			`Ce lien est valable pendant ${duration}. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail\u00a0: votre mot de passe reste inchangé.`,
	},
	emailChange: {
		subject: ({ tenant }) => `Confirmez le changement de votre adresse e-mail pour ${tenant}`,
		opening: ({ tenant, newAddress }) =>
			`Quelqu’un a demandé à remplacer l’adresse e-mail de votre compte chez ${tenant} par ${newAddress}.`,
		action: "Confirmer le changement",
		closing: (duration) =>
			`Ce lien est valable pendant ${duration}. Si vous n’êtes pas à l’origine de cette demande, n’utilisez pas le lien et changez votre mot de passe\u00a0: quelqu’un est peut-être connecté à votre compte.`,
	},
	accountDeletion: {
		subject: ({ tenant }) => `Confirmez la suppression de votre compte chez ${tenant}`,
		opening: ({ tenant }) =>
			`Quelqu’un a demandé la suppression de votre compte chez ${tenant}. Cette action est irréversible.`,
		action: "Supprimer mon compte",
		closing: (duration) =>
			`Ce lien est valable pendant ${duration}. Si vous n’êtes pas à l’origine de cette demande, n’utilisez pas le lien et changez votre mot de passe\u00a0: quelqu’un est peut-être connecté à votre compte.`,
	},
	magicLink: {
		subject: ({ tenant }) => `Votre lien de connexion pour ${tenant}`,
		opening: ({ tenant }) => `Voici votre lien pour vous connecter à ${tenant}.`,
		action: "Se connecter",
		closing: (duration) =>
			`Ce lien est valable pendant ${duration} et ne fonctionne qu’une fois. Si vous ne l’avez pas demandé, ignorez cet e-mail.`,
	},
	oneTimeCode: {
		subject: ({ tenant }) => `Votre code pour ${tenant}`,
		openings: {
			"sign-in": ({ tenant }) => `Voici votre code pour vous connecter à ${tenant}.`,
			"email-verification": ({ tenant }) => `Voici votre code pour confirmer votre adresse e-mail chez ${tenant}.`,
			"forget-password": ({ tenant }) => `Voici votre code pour réinitialiser votre mot de passe chez ${tenant}.`,
			"change-email": ({ tenant }) => `Voici votre code pour changer votre adresse e-mail chez ${tenant}.`,
			other: ({ tenant }) => `Voici votre code pour ${tenant}.`,
		},
		closing: (duration) =>
			`Ce code est valable pendant ${duration}. Saisissez-le uniquement sur la page où vous vous trouvez. Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail.`,
	},
	twoFactorCode: {
		subject: ({ tenant }) => `Votre second facteur pour ${tenant}`,
		opening: ({ tenant }) => `Voici le code qui termine votre connexion à ${tenant}.`,
		closing: (duration) =>
			`Ce code est valable pendant ${duration}. Si vous n’êtes pas à l’origine de cette connexion, quelqu’un connaît votre mot de passe\u00a0: changez-le.`,
	},
	accountExists: {
		subject: ({ tenant }) => `Vous avez déjà un compte chez ${tenant}`,
		opening: ({ tenant }) =>
			`Quelqu’un a essayé de s’inscrire chez ${tenant} avec cette adresse e-mail, qui a déjà un compte. Connectez-vous plutôt. Si vous avez oublié votre mot de passe, réinitialisez-le sur la page de connexion.`,
		closing: () => "Si vous n’êtes pas à l’origine de cette demande, ignorez cet e-mail\u00a0: rien n’a été modifié.",
	},
	invitation: {
		subject: ({ tenant, organization }) => `Invitation à rejoindre ${organization} chez ${tenant}`,
		opening: ({ tenant, organization, inviter }) =>
			`${inviter} vous invite à rejoindre ${organization} chez ${tenant}.`,
		action: "Voir l’invitation",
		closing: (duration) =>
			`Cette invitation est valable pendant ${duration}. Si vous ne l’attendiez pas, ignorez cet e-mail.`,
	},
	tenantInvitation: {
		subject: ({ tenant }) => `Invitation à rejoindre ${tenant}`,
		openings: {
			byUser: ({ tenant, inviter }) => `${inviter} vous invite à rejoindre ${tenant}.`,
			byOperator: ({ tenant }) => `Vous êtes invité à rejoindre ${tenant}.`,
		},
		action: "Voir l’invitation",
		closing: (duration) =>
			`Cette invitation est valable pendant ${duration} et ne fonctionne qu’une fois. Si vous ne l’attendiez pas, ignorez cet e-mail.`,
	},
};
