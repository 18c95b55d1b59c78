/** The same functions, which throw in place of an error what `rewrite` makes of it. */
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
