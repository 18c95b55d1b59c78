type WithoutSession = { token: null; user: Record<string, unknown> };

/** Whether a sign-up created no session. Such a response must be the same for a new and a taken address. */
export const isWithoutSession = (response: unknown): response is WithoutSession =>
	typeof response === "object" &&
	response !== null &&
	"token" in response &&
	response.token === null &&
	"user" in response &&
	typeof response.user === "object" &&
	response.user !== null;
