/** Keys of the storage that are processed in parallel: enough to hide latency, few enough not to delay requests. */
const GROUP = 20;

/** Calls `work` for each value, some at a time, and joins the results. */
export const inGroups = async <Value, Result>(
	values: Value[],
	work: (value: Value) => Promise<Result[]>,
): Promise<Result[]> => {
	const results: Result[] = [];
	for (let first = 0; first < values.length; first += GROUP)
		for (const some of await Promise.all(values.slice(first, first + GROUP).map(work))) results.push(...some);
	return results;
};

/** A storage may return a text or the parsed value. Null if it is no JSON. */
export const parseJson = (stored: unknown): unknown => {
	if (typeof stored !== "string") return stored ?? null;
	try {
		return JSON.parse(stored);
	} catch {
		return null;
	}
};
