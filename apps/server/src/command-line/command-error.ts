type Further = {
	/** what to do about it */
	fix?: string | undefined;
	cause?: unknown;
};

/** A failure with a code for programs, a message, and how to fix it. */
export class CommandError extends Error {
	override name = "CommandError";

	readonly code: string;
	readonly fix: string | undefined;

	constructor(code: string, message: string, { fix, cause }: Further = {}) {
		super(message, { cause });
		this.code = code;
		this.fix = fix;
	}
}

/** An error response from the server. */
export class ApiError extends CommandError {
	override name = "ApiError";

	readonly status: number;
	/** the call was a retry, and the first attempt may have succeeded */
	isRepeated = false;

	constructor(status: number, code: string, message: string, further: Further = {}) {
		super(code, message, further);
		this.status = status;
	}
}
