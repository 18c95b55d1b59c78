/** A mutant that no test noticed. */
export type Mutant = {
	/** below src/ */
	file: string;
	/** names it to Stryker */
	key: string;
	line: number;
	/** both on one line */
	original: string;
	replacement: string;
	/** 1 for the first of equal mutants of a file */
	nth: number;
	/** how many tests ran with it; none reached it if 0 */
	tests: number;
	/** in a recorded run */
	why?: string | null;
};
