type WithoutSession = { token: null; user: Record<string, unknown> };

/** Whether a sign-up was answered without signing anybody in, which must look alike for a new and a taken address. */
export const isWithoutSession = (answer: unknown): answer is WithoutSession =>
	typeof answer === "object" &&
	answer !== null &&
	"token" in answer &&
	answer.token === null &&
	"user" in answer &&
	typeof answer.user === "object" &&
	answer.user !== null;
