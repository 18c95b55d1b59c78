type Further = {
	/** what to do about it */
	mend?: string | undefined;
	cause?: unknown;
};

/** What went wrong: a code for machines, a sentence for people, and the mend. */
export class CommandError extends Error {
	override name = "CommandError";

	readonly code: string;
	readonly mend: string | undefined;

	constructor(code: string, message: string, { mend, cause }: Further = {}) {
		super(message, { cause });
		this.code = code;
		this.mend = mend;
	}
}

/** A refusal of the server, as its answer says it. */
export class ApiError extends CommandError {
	override name = "ApiError";

	readonly status: number;
	/** it is the answer to a call that was made before and may have been done then */
	isRepeated = false;

	constructor(status: number, code: string, message: string, further: Further = {}) {
		super(code, message, further);
		this.status = status;
	}
}
