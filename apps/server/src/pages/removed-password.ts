/** The tenant in which Better Auth has just removed a password, as its cookie says. For a text on a page only: visitors can set it. */
export const removedPasswordIn = (header: string | undefined): string | null =>
	header
		?.split("; ")
		.find((pair) => NAME.test(pair))
		?.replace(/^[^=]*=/, "") ?? null;

const NAME = /^[^=]*tenant_password_removed=/;
