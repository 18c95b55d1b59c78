import type { Catalog } from "./en.ts";

/** Spanish, with the formal "usted". */
export const es: Catalog = {
	orOpen: "O abra esta dirección:",
	verification: {
		subject: ({ tenant }) => `Confirme su dirección de correo electrónico para ${tenant}`,
		opening: ({ tenant }) => `Confirme que esta dirección de correo electrónico es suya, para su cuenta en ${tenant}.`,
		action: "Confirmar la dirección",
		closing: (duration) => `El enlace es válido durante ${duration}. Si no lo ha solicitado, ignore este mensaje.`,
	},
	passwordReset: {
		subject: ({ tenant }) => `Restablezca su contraseña para ${tenant}`,
		opening: ({ tenant }) => `Alguien ha solicitado restablecer la contraseña de su cuenta en ${tenant}.`,
		action: "Elegir una contraseña nueva",
		closing: (duration) =>
			`El enlace es válido durante ${duration}. Si no ha sido usted, ignore este mensaje: su contraseña no cambia.`,
	},
	emailChange: {
		subject: ({ tenant }) => `Confirme el cambio de su dirección de correo electrónico para ${tenant}`,
		opening: ({ tenant, newAddress }) =>
			`Alguien ha solicitado cambiar la dirección de correo electrónico de su cuenta en ${tenant} por ${newAddress}.`,
		action: "Confirmar el cambio",
		closing: (duration) =>
			`El enlace es válido durante ${duration}. Si no ha sido usted, no use el enlace y cambie su contraseña: es posible que alguien haya iniciado sesión en su cuenta.`,
	},
	accountDeletion: {
		subject: ({ tenant }) => `Confirme la eliminación de su cuenta en ${tenant}`,
		opening: ({ tenant }) => `Alguien ha solicitado eliminar su cuenta en ${tenant}. Esta acción no se puede deshacer.`,
		action: "Eliminar mi cuenta",
		closing: (duration) =>
			`El enlace es válido durante ${duration}. Si no ha sido usted, no use el enlace y cambie su contraseña: es posible que alguien haya iniciado sesión en su cuenta.`,
	},
	magicLink: {
		subject: ({ tenant }) => `Su enlace para iniciar sesión en ${tenant}`,
		opening: ({ tenant }) => `Este es su enlace para iniciar sesión en ${tenant}.`,
		action: "Iniciar sesión",
		closing: (duration) =>
			`El enlace es válido durante ${duration} y funciona una sola vez. Si no lo ha solicitado, ignore este mensaje.`,
	},
	oneTimeCode: {
		subject: ({ tenant }) => `Su código para ${tenant}`,
		openings: {
			"sign-in": ({ tenant }) => `Este es su código para iniciar sesión en ${tenant}.`,
			"email-verification": ({ tenant }) =>
				`Este es su código para confirmar su dirección de correo electrónico en ${tenant}.`,
			"forget-password": ({ tenant }) => `Este es su código para restablecer su contraseña en ${tenant}.`,
			"change-email": ({ tenant }) => `Este es su código para cambiar su dirección de correo electrónico en ${tenant}.`,
			other: ({ tenant }) => `Este es su código para ${tenant}.`,
		},
		closing: (duration) =>
			`El código es válido durante ${duration}. Introdúzcalo solo en la página en la que se encuentra. Si no ha sido usted, ignore este mensaje.`,
	},
	twoFactorCode: {
		subject: ({ tenant }) => `Su segundo factor para ${tenant}`,
		opening: ({ tenant }) => `Este es el código que completa su inicio de sesión en ${tenant}.`,
		closing: (duration) =>
			`El código es válido durante ${duration}. Si no ha sido usted, alguien conoce su contraseña: cámbiela.`,
	},
	accountExists: {
		subject: ({ tenant }) => `Ya tiene una cuenta en ${tenant}`,
		opening: ({ tenant }) =>
			`Alguien ha intentado registrarse en ${tenant} con esta dirección de correo electrónico, que ya tiene una cuenta. Inicie sesión en su lugar. Si ha olvidado su contraseña, restablézcala en la página de inicio de sesión.`,
		closing: () => "Si no ha sido usted, ignore este mensaje: no se ha cambiado nada.",
	},
	invitation: {
		subject: ({ tenant, organization }) => `Invitación a ${organization} en ${tenant}`,
		opening: ({ tenant, organization, inviter }) => `${inviter} le invita a unirse a ${organization} en ${tenant}.`,
		action: "Ver la invitación",
		closing: (duration) => `La invitación es válida durante ${duration}. Si no la esperaba, ignore este mensaje.`,
	},
	tenantInvitation: {
		subject: ({ tenant }) => `Invitación a ${tenant}`,
		openings: {
			byUser: ({ tenant, inviter }) => `${inviter} le invita a unirse a ${tenant}.`,
			byOperator: ({ tenant }) => `Ha recibido una invitación para unirse a ${tenant}.`,
		},
		action: "Ver la invitación",
		closing: (duration) =>
			`La invitación es válida durante ${duration} y funciona una sola vez. Si no la esperaba, ignore este mensaje.`,
	},
};
