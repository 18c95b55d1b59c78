import { createOldestFirst } from "./oldest-first.ts";

/** Finds the largest of many groups whose sizes change by one, in constant time: a flood has as many groups as it wants. */
export const createLargest = () => {
	const sizes = new Map<string, number>();
	const bySize = new Map<number, ReturnType<typeof createOldestFirst>>();
	let most = 0;

	const leave = (name: string, size: number): void => {
		const groups = bySize.get(size);
		groups?.remove(name);
		if (groups?.isEmpty()) bySize.delete(size);
	};
	const join = (name: string, size: number): void => {
		if (size === 0) {
			sizes.delete(name);
			return;
		}
		sizes.set(name, size);
		const groups = bySize.get(size) ?? createOldestFirst();
		bySize.set(size, groups);
		groups.add(name);
		most = Math.max(most, size);
	};

	return {
		grow: (name: string): void => {
			const size = sizes.get(name) ?? 0;
			leave(name, size);
			join(name, size + 1);
		},
		/** Returns whether the group is empty now. */
		shrink: (name: string): boolean => {
			const size = sizes.get(name) ?? 0;
			if (size === 0) return true;
			leave(name, size);
			// then the group that shrank is the largest one left
			if (size === most && !bySize.has(size)) most = size - 1;
			join(name, size - 1);
			return size === 1;
		},
		/** Of several, the one that has this size for the longest time. */
		largest: (): string | undefined => {
			const groups = bySize.get(most);
			const name = groups?.takeOldest();
			if (name !== undefined) groups?.add(name);
			return name;
		},
	};
};
