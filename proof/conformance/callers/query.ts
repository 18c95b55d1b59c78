/** The query of a URL as values. A name that occurs twice has a list. */
export const queryIn = ({ searchParams }: URL): Record<string, string | string[]> =>
	Object.fromEntries(
		[...new Set(searchParams.keys())].map((name) => {
			const [first = "", ...others] = searchParams.getAll(name);
			return [name, others.length > 0 ? [first, ...others] : first];
		}),
	);
