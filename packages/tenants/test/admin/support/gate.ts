/** Something to wait for, until it is opened. */
export const createGate = () => {
	let open = (): void => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open, opened };
};

export type Gate = ReturnType<typeof createGate>;
