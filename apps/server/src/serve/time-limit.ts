/** Rejects when work takes longer than it may. The work itself goes on. */
export const withinTime = <Result>(milliseconds: number, work: Promise<Result>): Promise<Result> => {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
	});
	return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};
