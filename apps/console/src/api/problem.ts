/** A refusal of the service, with the code that the reference describes. */
export class Problem extends Error {
	override name = "Problem";
	readonly status: number;
	readonly code: string | null;

	constructor(status: number, code: string | null, message: string) {
		super(message);
		this.status = status;
		this.code = code;
	}
}

type Answer<T> = {
	data: T | null;
	error: { status?: number; code?: string | undefined; message?: string | undefined } | null;
};

/** The data of a response. Throws a `Problem` for a refusal, and for a service that does not respond. */
export const unwrap = async <T>(call: Promise<Answer<T>>): Promise<T> => {
	const { data, error } = await call;
	if (error) throw new Problem(error.status ?? 0, error.code ?? null, messageOf(error));
	// an endpoint that returns nothing has the type to match
	return data as T;
};

/** Messages that speak to programs, in the words of the console. */
const IN_PLAIN_WORDS: Record<string, string> = {
	INVALID_BACKUP_CODE: "This backup code is wrong, or was used before. Use another one.",
	TENANT_MANAGEMENT_NOT_ALLOWED: "You do not have permission. Ask an owner of the tenant, or an operator.",
	TENANT_MANAGEMENT_UNAUTHORIZED: "You are no longer signed in. Reload the page and sign in again.",
};

const messageOf = ({ status = 0, code, message }: NonNullable<Answer<unknown>["error"]>): string => {
	const plain = code && Object.hasOwn(IN_PLAIN_WORDS, code) ? IN_PLAIN_WORDS[code] : undefined;
	if (plain) return plain;
	if (status === 0) return "The service does not respond. Check your connection and try again.";
	if (status === 429) return "Too many requests. Wait a moment and try again.";
	if (status >= 500) return "Something went wrong on the server. Try again in a moment.";
	return message || "The service refused this.";
};
