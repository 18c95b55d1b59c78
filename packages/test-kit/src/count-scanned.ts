/** The characters that a search examined, from where it started to where it ended. */
type Scan = (text: string, given: unknown[], result: unknown) => number;

const forward: Scan = (text, [what, from = 0], found) =>
	(found === -1 ? text.length : Number(found) + String(what).length) - Number(from);
const backward: Scan = (text, [, from = text.length], found) => Math.min(Number(from), text.length) - Number(found);

const SCANS: Record<string, Scan> = {
	indexOf: forward,
	lastIndexOf: backward,
	includes: (text) => text.length,
	slice: () => 1,
	trim: (text) => text.length,
	split: (text, [, limit], parts) => (limit === 1 && Array.isArray(parts) ? String(parts[0]).length + 1 : text.length),
};

/**
 * The number of characters that the string functions called by `run` examine: a parser's work, equal on every machine.
 * Regular expressions are not counted; `pnpm lint` checks those.
 */
export const countScanned = (run: () => unknown): number => {
	let scanned = 0;
	const undo = Object.entries(SCANS).map(([name, scan]) => {
		const original = Object.getOwnPropertyDescriptor(String.prototype, name);
		Object.defineProperty(String.prototype, name, {
			...original,
			value(this: string, ...given: unknown[]) {
				const result: unknown = Reflect.apply(original?.value, this, given);
				scanned += Math.max(0, scan(String(this), given, result));
				return result;
			},
		});
		return () => Object.defineProperty(String.prototype, name, original ?? {});
	});
	try {
		run();
		return scanned;
	} finally {
		for (const restore of undo) restore();
	}
};
