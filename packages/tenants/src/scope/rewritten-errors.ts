/** Wraps functions so that they throw the result of `rewrite` instead of the original error. */
export const rewritingErrors = <Functions extends object>(
	functions: Functions,
	rewrite: (error: unknown, name: string) => Promise<unknown>,
): Functions =>
	Object.fromEntries(
		Object.entries(functions).map(([name, call]) => [
			name,
			typeof call === "function"
				? async (...args: unknown[]): Promise<unknown> => {
						try {
							return await call(...args);
						} catch (error) {
							throw await rewrite(error, name);
						}
					}
				: call,
		]),
	) as Functions;
