/** Rejects with this error if the work takes longer. The work itself goes on. */
export const withinTime = async <Result>(
	work: Promise<Result>,
	milliseconds: number,
	late: () => Error,
): Promise<Result> => {
	let timer: ReturnType<typeof setTimeout> | undefined;
	const isLate = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(late()), milliseconds);
	});
	try {
		return await Promise.race([work, isLate]);
	} finally {
		clearTimeout(timer);
	}
};
