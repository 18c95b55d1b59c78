/** The entry of a menu that a key leads to, or null if it leads nowhere. A letter leads to the next entry that begins with it. */
export const nextIndex = (key: string, current: number, names: readonly string[]): number | null => {
	const count = names.length;
	if (count === 0) return null;
	if (key === "ArrowDown") return (current + 1) % count;
	if (key === "ArrowUp") return (current - 1 + count) % count;
	if (key === "Home") return 0;
	if (key === "End") return count - 1;
	if (key.length !== 1 || key === " ") return null;
	const after = names.map((_, offset) => (current + 1 + offset) % count);
	return after.find((index) => names[index]?.toLowerCase().startsWith(key.toLowerCase())) ?? null;
};
