import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { drawArchitecture, drawnFiles, pictureOf } from "./draw-architecture.ts";
import { drawFloors, housePicture, pictures } from "./draw-houses.ts";
import { drawIdea, ideaPicture } from "./draw-idea.ts";
import { HOUSES } from "./floors.ts";
import { readFloors, upwardImports } from "./pictures/house.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCES = "packages/tenants/src";
const page = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");

const missing = (paths: string[]): string[] => paths.filter((path) => !existsSync(join(ROOT, path)));

describe("ARCHITECTURE.md", () => {
	it("links to existing files", () => {
		const links = [...page.matchAll(/\]\(([^)#\s]+)[^)]*\)|(?:src|srcset)="([^"]+)"/g)].map(
			([, link, image]) => link ?? image ?? "",
		);
		expect(links.length).toBeGreaterThan(30);
		expect(missing(links)).toEqual([]);
	});

	it("uses the name of each source file", () => {
		const named = [...page.matchAll(/\[`([^`]+\.ts)`\]\(([^)]+)\)/g)].map(([, name, path]) => ({ name, path }));
		expect(named.length).toBeGreaterThan(20);
		expect(named.filter(({ name, path }) => path !== `${SOURCES}/${name}`)).toEqual([]);
	});

	it("follows a request through resolve, scope, endpoints and Better Auth, in this order", () => {
		const order = ["**1. Resolve.**", "**2. Scope.**", "**3. Endpoints.**", "**4. Better Auth.**"].map((step) =>
			page.indexOf(step),
		);
		expect(order).not.toContain(-1);
		expect(order).toEqual(order.toSorted((a, b) => a - b));
	});
});

describe("the picture of the architecture", () => {
	it.each(["light", "dark"] as const)("is what `pnpm docs:architecture` draws, %s", (theme) => {
		expect(readFileSync(pictureOf(theme), "utf8")).toBe(drawArchitecture(theme));
	});

	it("names existing files", () => {
		expect(missing(drawnFiles.map((file) => `${SOURCES}/${file}`))).toEqual([]);
	});
});

describe("the picture of the idea", () => {
	it.each(["light", "dark"] as const)("is what `pnpm docs:architecture` draws, %s", (theme) => {
		expect(readFileSync(ideaPicture(theme), "utf8")).toBe(drawIdea(theme));
	});
});

describe("the pictures of the floors", () => {
	const cases = pictures.flatMap((picture) => (["light", "dark"] as const).map((theme) => [picture, theme] as const));
	it.each(cases)("are what `pnpm docs:architecture` draws, %s, %s", (picture, theme) => {
		expect(readFileSync(housePicture(picture, theme), "utf8")).toBe(drawFloors(picture, theme));
	});

	it.each(Object.entries(HOUSES))("show each folder of %s, and no import of a floor above", (house, names) => {
		const folders = readdirSync(join(ROOT, house), { withFileTypes: true }).filter((entry) => entry.isDirectory());
		expect(Object.keys(names).toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
		expect(upwardImports(readFloors(join(ROOT, house), names))).toEqual([]);
	});

	it("would show an import of a floor above", () => {
		const floor = (name: string, imports: string[]) => ({ name, purpose: "", rooms: [], imports });
		expect(upwardImports([floor("features", ["lib"]), floor("lib", ["features"])])).toEqual(["lib imports features"]);
	});
});
