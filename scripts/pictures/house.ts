import { globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { brush, type Theme } from "./parts.ts";

/** A floor with the folders in it, and the floors that it imports. */
export type Floor = { name: string; purpose: string; rooms: string[]; imports: string[] };

/** What lies beside the folders: the entries of the house. */
const TOP = "entries";
const SPECIFIER = /(?:from|import)\s*\(?\s*"(\.[^"\n]+)"/g;

/** Reads the floors of a house from its folders and imports, the highest first. Floors that are not named are not looked for. */
export const readFloors = (house: string, lowestFirst: Readonly<Record<string, string>>): Floor[] => {
	const floorOf = (file: string): string => (file.includes("/") ? (file.split("/", 1)[0] ?? "") : TOP);
	const files = globSync("**/*.ts", { cwd: house }).sort();
	const imports = new Map<string, Set<string>>();
	for (const file of files) {
		const from = floorOf(file);
		for (const [, specifier = ""] of readFileSync(join(house, file), "utf8").matchAll(SPECIFIER)) {
			const to = floorOf(relative(house, join(house, dirname(file), specifier)));
			if (to !== from && !to.startsWith("..")) imports.set(from, (imports.get(from) ?? new Set()).add(to));
		}
	}
	const roomsOf = (floor: string): string[] => [
		...new Set(
			files.flatMap((file) => {
				const [first, room, ...rest] = file.split("/");
				if (floor === TOP) return first !== undefined && room === undefined ? [first.replace(/\.ts$/, "")] : [];
				return first === floor && room !== undefined && rest.length > 0 ? [room] : [];
			}),
		),
	];
	return [TOP, ...Object.keys(lowestFirst).toReversed()].map((name) => ({
		name,
		purpose: lowestFirst[name] ?? "",
		rooms: roomsOf(name),
		imports: [...(imports.get(name) ?? [])],
	}));
};

/** The imports that lead to a floor above. There are none in a house that stands. */
export const upwardImports = (floors: Floor[]): string[] =>
	floors.flatMap(({ name, imports }, at) =>
		imports.filter((to) => floors.slice(0, at).some((above) => above.name === to)).map((to) => `${name} imports ${to}`),
	);

const LEFT = 24;
const ROOMS = { from: 168, to: 724 };
const ARCS = 740;
const ROW = 26;
const GAP = 8;

/** Draws a house: floors with their folders, the highest first, and a line for each floor that another one imports. */
export const drawHouse = (theme: Theme, floors: Floor[], title: string, description: string): string => {
	const { text, box, card, arrow } = brush(theme);
	const parts: string[] = [];
	const middles = new Map<string, number>();
	let y = 24;
	for (const { name, purpose, rooms } of floors) {
		const chips: string[] = [];
		let [x, row]: [number, number] = [ROOMS.from, purpose ? 1 : 0];
		for (const room of rooms) {
			const width = Math.round(room.length * 6.9) + 18;
			if (x + width > ROOMS.to) [x, row] = [ROOMS.from, row + 1];
			chips.push(card(x, y + 6 + row * ROW, width, ROW - 5, name === TOP ? "acme" : "platform"));
			chips.push(text(x + width / 2, y + 20.5 + row * ROW, room, { size: 11, mono: true, middle: true }));
			x += width + 6;
		}
		const rows = rooms.length > 0 || row === 0 ? row + 1 : row;
		const height = 8 + rows * ROW;
		parts.push(box(LEFT - 8, y, ROOMS.to - LEFT + 16, height, "platform", 6), ...chips);
		parts.push(
			text(LEFT + 4, y + 21, name, { size: 13, bold: true }),
			text(ROOMS.from, y + 21, purpose, { size: 12, soft: true }),
		);
		middles.set(name, y + height / 2);
		y += height + GAP;
	}
	const whole = y;
	for (const [at, { name, imports }] of floors.entries())
		for (const to of imports) {
			const [from, end] = [middles.get(name), middles.get(to)];
			if (from === undefined || end === undefined) continue;
			const bulge = ARCS + 16 + Math.round((Math.abs(end - from) / whole) * 230);
			const isUp = floors.findIndex((floor) => floor.name === to) < at;
			parts.push(
				arrow(`M${ARCS - 8} ${from}C${bulge} ${from} ${bulge} ${end} ${ARCS - 8} ${end}`, isUp ? "stop" : "platform"),
			);
		}
	return brush(theme).picture(whole + 16, title, description, parts);
};
