import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { HOUSES } from "./floors.ts";
import { drawHouse, readFloors } from "./pictures/house.ts";
import type { Theme } from "./pictures/parts.ts";

const ROOT = join(import.meta.dirname, "..");

/** The pictures of the houses, by the name of their files. */
const PICTURES = {
	package: { house: "packages/tenants/src", title: "The floors of the package" },
	service: { house: "apps/server/src", title: "The floors of the service" },
} as const;

export type Picture = keyof typeof PICTURES;

export const housePicture = (picture: Picture, theme: Theme): string =>
	join(ROOT, `docs/pictures/floors-of-${picture}-${theme}.svg`);

/** Draws the floors of a house from its imports. */
export const drawFloors = (picture: Picture, theme: Theme): string => {
	const { house, title } = PICTURES[picture];
	const floors = readFloors(join(ROOT, house), HOUSES[house]);
	return drawHouse(
		theme,
		floors,
		title,
		`${floors.map(({ name }) => name).join(", ")}. Each imports only what is below it.`,
	);
};

export const pictures = Object.keys(PICTURES) as Picture[];

/** `pnpm docs:architecture` */
if (import.meta.main)
	for (const picture of pictures)
		for (const theme of ["light", "dark"] as const)
			writeFileSync(housePicture(picture, theme), drawFloors(picture, theme));
