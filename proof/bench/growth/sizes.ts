/** The size of one database. */
export type Size = {
	tenants: number;
	users: number;
	/** whether the goal applies; a larger one is only informative */
	isOfGoal: boolean;
};

const evenly = (users: number, tenants: number[]): Size[] =>
	tenants.map((count) => ({ tenants: count, users, isOfGoal: true }));

/** From the smallest to the largest number of tenants. */
export const sizesOf = (full: boolean): Size[] =>
	full
		? [...evenly(1_000_000, [10, 1_000, 100_000]), { tenants: 1_000_000, users: 10_000_000, isOfGoal: false }]
		: evenly(10_000, [10, 100, 1_000]);
