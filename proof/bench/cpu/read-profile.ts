import type { Profiler } from "node:inspector";
import { ownerOf, shortPath } from "./owner.ts";

/** Shares of the time in which the thread was not idle, by whose code ran, and by function. */
export type ReadProfile = { owners: Record<string, number>; functions: Record<string, number> };

/** Reads a CPU profile. Native functions belong to the code that called them. */
export const readProfile = ({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): ReadProfile => {
	const byId = new Map(nodes.map((node) => [node.id, node]));
	const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
	const spent = new Map<number, number>();
	for (const [at, id] of samples.entries()) spent.set(id, (spent.get(id) ?? 0) + (timeDeltas[at] ?? 0));

	/** The frame with a file that runs in this node. */
	const codeOf = (id: number): Profiler.ProfileNode | null => {
		for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
			const node = byId.get(at);
			if (node?.callFrame.url) return node;
		}
		return null;
	};

	const owners = new Map<string, number>();
	const functions = new Map<string, number>();
	for (const [id, time] of spent) {
		const name = byId.get(id)?.callFrame.functionName ?? "";
		if (name === "(idle)") continue;
		const code = codeOf(id);
		// starting and stopping the profile
		if (code?.callFrame.url.startsWith("node:inspector")) continue;
		add(owners, code ? ownerOf(code.callFrame.url) : (UNOWNED[name] ?? NATIVE), time);
		add(functions, code ? describeFrame(code) : name, time);
	}
	return { owners: toShares(owners), functions: toShares(functions) };
};

const NATIVE = "native code";
const UNOWNED: Record<string, string> = { "(garbage collector)": "garbage collection" };

const describeFrame = ({ callFrame: { url, lineNumber, functionName } }: Profiler.ProfileNode): string =>
	`${shortPath(url)}:${lineNumber + 1} ${functionName || "(anonymous)"}`;

const add = (to: Map<string, number>, key: string, time: number): void => void to.set(key, (to.get(key) ?? 0) + time);

const toShares = (times: Map<string, number>): Record<string, number> => {
	const total = [...times.values()].reduce((sum, time) => sum + time, 0);
	return Object.fromEntries([...times].map(([key, time]) => [key, time / total]));
};
