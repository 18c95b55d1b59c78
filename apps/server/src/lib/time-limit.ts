/** Rejects after a time limit. The work itself continues. */
export const withinTime = <Result>(milliseconds: number, work: Promise<Result>): Promise<Result> => {
	let timer: NodeJS.Timeout | undefined;
	const limit = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error(`no response within ${milliseconds} ms`)), milliseconds);
	});
	return Promise.race([work, limit]).finally(() => clearTimeout(timer));
};
