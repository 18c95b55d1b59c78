/** Groups items by a key, in their order. `Map.groupBy` is not in the libraries of tsconfig.json. */
export const grouped = <Item>(items: Item[], keyOf: (item: Item) => string): Map<string, Item[]> => {
	const groups = new Map<string, Item[]>();
	for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
	return groups;
};
