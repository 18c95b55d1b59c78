import type { Owners } from "./result.ts";

type Row = { name: string; us: number[]; added: number };

/** What each owner takes on each side, and what the last side adds to the first. */
export const compareOwners = (sides: Pick<Owners, "us">[]): Row[] =>
	[...new Set(sides.flatMap(({ us }) => Object.keys(us)))].map((name) => {
		const us = sides.map((side) => side.us[name] ?? 0);
		return { name, us, added: (us.at(-1) ?? 0) - (us[0] ?? 0) };
	});

const WIDTH = 12;

/** The same as lines: the rows that differ most. */
export const listOwners = (sides: Owners[], limit: number): string[] => {
	const rows = compareOwners(sides)
		.toSorted((one, other) => Math.abs(other.added) - Math.abs(one.added))
		.slice(0, limit);
	const line = (cells: string[], name: string) => `${cells.map((cell) => cell.padStart(WIDTH)).join("")}  ${name}`;
	return [
		line([...sides.map((_, at) => `side ${at + 1}`), "added"], ""),
		...rows.map(({ name, us, added }) =>
			line(
				[...us, added].map((value) => value.toFixed(1)),
				name,
			),
		),
	];
};
