/** Whether a path fits one of the engine's patterns, in which `*` stands for anything. */
export const matchesPath = (pattern: string, path: string): boolean => {
	if (!pattern.includes("*")) return pattern === path;
	const parts = pattern.split(/\*+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
	return new RegExp(`^${parts.join(".*")}$`).test(path);
};
