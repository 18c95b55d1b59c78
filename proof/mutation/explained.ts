import type { Mutant } from "./mutant.ts";

/** Mutants that no test can notice, and why that is right. */
export type Explained = {
	/** below src/ */
	file: string;
	/** what is replaced, on one line */
	original: string;
	/** by what; several if the reason is the same */
	replacement: string | string[];
	/** which of equal mutants in the file */
	nth?: number;
	/** what stays the same, or what else rejects the same */
	why: string;
};

export const EXPLAINED: Explained[] = [];

export const explains = ({ file, original, replacement, nth = 1 }: Explained, mutant: Mutant): boolean =>
	mutant.file === file &&
	mutant.original === original &&
	[replacement].flat().includes(mutant.replacement) &&
	mutant.nth === nth;

export const whyOf = (mutant: Mutant): string | null => EXPLAINED.find((one) => explains(one, mutant))?.why ?? null;
