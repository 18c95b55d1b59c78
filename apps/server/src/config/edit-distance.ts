/**
 * The number of characters to insert, delete, replace or swap with their neighbor until two texts are equal
 * (Damerau-Levenshtein distance, where no part is changed twice).
 */
export const editDistance = (one: string, other: string): number => {
	/** the last three rows: distances between the beginnings of `one` and all beginnings of `other` */
	let beforeLast: number[] = [];
	let last = Array.from({ length: other.length + 1 }, (_, index) => index);
	for (let row = 1; row <= one.length; row += 1) {
		const current = [row];
		for (let column = 1; column <= other.length; column += 1) {
			const isSame = one[row - 1] === other[column - 1];
			const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
			current[column] = Math.min(
				at(last, column) + 1,
				at(current, column - 1) + 1,
				at(last, column - 1) + (isSame ? 0 : 1),
				row > 1 && column > 1 && isSwapped ? at(beforeLast, column - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
		beforeLast = last;
		last = current;
	}
	return at(last, other.length);
};

const at = (row: number[], column: number): number => row[column] ?? Number.POSITIVE_INFINITY;
