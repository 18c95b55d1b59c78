type Call = (...args: unknown[]) => unknown;

/** Wraps functions so that they throw the result of `rewrite` instead of the original error. */
export const rewritingErrors = <Functions extends object>(
	functions: Functions,
	rewrite: (error: unknown, name: string) => Promise<unknown>,
): Functions => {
	const wrap =
		(name: string, call: Call): Call =>
		async (...args) => {
			try {
				return await call(...args);
			} catch (error) {
				throw await rewrite(error, name);
			}
		};
	return Object.fromEntries(
		Object.entries(functions).map(([name, call]) => [name, typeof call === "function" ? wrap(name, call) : call]),
	) as Functions;
};
