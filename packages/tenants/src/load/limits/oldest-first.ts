/**
 * A set that is emptied from its oldest member. `takeOldest` keeps its place: an iterator that begins at the front would pass
 * over all members that were removed there, which takes longer with each of them.
 */
export const createOldestFirst = () => {
	const members = new Set<string>();
	let place: Iterator<string, undefined> | undefined;
	return {
		add: (member: string): void => void members.add(member),
		remove: (member: string): void => void members.delete(member),
		isEmpty: (): boolean => members.size === 0,
		/** Removes the oldest member and returns it. */
		takeOldest: (): string | undefined => {
			let oldest = place?.next();
			if (!oldest || oldest.done) {
				place = members.values();
				oldest = place.next();
			}
			if (oldest.value !== undefined) members.delete(oldest.value);
			return oldest.value;
		},
	};
};
