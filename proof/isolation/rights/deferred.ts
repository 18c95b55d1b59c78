export type Deferred<Value> = {
	promise: Promise<Value>;
	resolve: (value: Value) => void;
	reject: (reason: unknown) => void;
};

/** A promise that others settle. */
export const deferred = <Value = void>(): Deferred<Value> => {
	let settle: Omit<Deferred<Value>, "promise"> | undefined;
	const promise = new Promise<Value>((resolve, reject) => {
		settle = { resolve, reject };
	});
	// the constructor has called its function
	return { promise, ...(settle as Omit<Deferred<Value>, "promise">) };
};
