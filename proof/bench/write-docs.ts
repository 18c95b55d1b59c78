import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { DOCUMENTS } from "./documents.ts";
import { drawPlot } from "./plots/draw.ts";
import { fileOf } from "./plots/picture.ts";
import { MODES } from "./plots/theme.ts";
import { writeUpstreamPage } from "./upstream/upstream-page.ts";

const DOCUMENT = new URL("../../docs/performance.md", import.meta.url);
const PLOTS = new URL("../../docs/plots/", import.meta.url);

const INTRODUCTION = `# Performance

<!-- Written by \`pnpm bench\` from proof/bench/results. Do not edit. -->

The cost of \`tenantAuth()\` compared with Better Auth alone and with alternatives, and how it changes as tenants and users grow.
The figures are from the last recorded runs. All sides of a comparison took turns in one run on one machine, which also ran
the load generator and the database. Compare the ratios rather than absolute times. Missed goals are listed with their figures.
Run it yourself with \`pnpm bench\` (a few minutes) or \`pnpm bench --full\` (a few hours, with the sizes below).
`;

type Page = {
	text: string;
	/** the drawings by file name */
	pictures: Map<string, string>;
};

/** Composes docs/performance.md and docs/plots from the recorded results. */
export const composePerformanceDocs = async (): Promise<Page> => {
	const sections = await Promise.all(DOCUMENTS.map(({ read }) => read()));
	const pictures = new Map<string, string>();
	for (const plot of sections.flatMap(({ plots }) => plots))
		for (const mode of MODES) pictures.set(fileOf(plot, mode), await drawPlot(plot, mode));
	const text = [INTRODUCTION, ...sections.map(({ text }) => text)]
		.join("\n\n")
		.replace(/\n{3,}/g, "\n\n")
		.trimEnd();
	return { text: `${text}\n`, pictures };
};

/** Writes the page and its pictures, deletes pictures that are no longer used, and writes the figures of docs/upstream. */
export const writePerformanceDocs = async (): Promise<void> => {
	const { text, pictures } = await composePerformanceDocs();
	await mkdir(PLOTS, { recursive: true });
	for (const file of await readdir(PLOTS)) if (!pictures.has(file)) await rm(new URL(file, PLOTS));
	for (const [file, svg] of pictures) await writeFile(new URL(file, PLOTS), svg);
	await writeFile(DOCUMENT, text);
	await writeUpstreamPage();
};

/** Reads the current page and pictures. */
export const readPerformanceDocs = async (): Promise<Page> => {
	const pictures = new Map<string, string>();
	for (const file of await readdir(PLOTS)) pictures.set(file, await readFile(new URL(file, PLOTS), "utf8"));
	return { text: await readFile(DOCUMENT, "utf8"), pictures };
};

if (import.meta.main) await writePerformanceDocs();
