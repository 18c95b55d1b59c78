import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { DOCUMENTS } from "./documents.ts";
import { drawPlot } from "./plots/draw.ts";
import { fileOf } from "./plots/picture.ts";
import { MODES } from "./plots/theme.ts";

const DOCUMENT = new URL("../../docs/performance.md", import.meta.url);
const PLOTS = new URL("../../docs/plots/", import.meta.url);

const INTRODUCTION = `# Performance

<!-- Written by \`pnpm bench\` from proof/bench/results. Do not edit. -->

What \`tenantAuth()\` costs over the engine without it, what a team would do instead, and what happens as tenants and users grow,
with the figures of the last recorded runs. What is compared ran side by side, turn by turn, in one run on one machine, which
runs the load and the database too: read the ratios, and take an absolute time for what it is. A goal that is missed stands
here with its figure. Run it yourself: \`pnpm bench\` (some minutes), \`pnpm bench --full\` (some hours, the sizes below).
`;

type Page = {
	text: string;
	/** the drawings by their file names */
	pictures: Map<string, string>;
};

/** What docs/performance.md and docs/plots have to show by the results that are kept. */
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

/** Writes them anew. Pictures that no section draws any more go. */
export const writePerformanceDocs = async (): Promise<void> => {
	const { text, pictures } = await composePerformanceDocs();
	await mkdir(PLOTS, { recursive: true });
	for (const file of await readdir(PLOTS)) if (!pictures.has(file)) await rm(new URL(file, PLOTS));
	for (const [file, svg] of pictures) await writeFile(new URL(file, PLOTS), svg);
	await writeFile(DOCUMENT, text);
};

/** What they show now. */
export const readPerformanceDocs = async (): Promise<Page> => {
	const pictures = new Map<string, string>();
	for (const file of await readdir(PLOTS)) pictures.set(file, await readFile(new URL(file, PLOTS), "utf8"));
	return { text: await readFile(DOCUMENT, "utf8"), pictures };
};

if (import.meta.main) await writePerformanceDocs();
