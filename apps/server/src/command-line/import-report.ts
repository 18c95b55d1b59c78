import { plainJson, plainText } from "../lib/plain-text.ts";
import type { Refusal } from "./ndjson.ts";
import { type OutputFile, openOutputFile } from "./output-file.ts";
import type { Progress } from "./progress.ts";

export type ImportReport = Awaited<ReturnType<typeof openImportReport>>;

type ReportOptions = {
	/** the file that lists refused lines; stderr if undefined */
	refused: string | undefined;
	json: boolean;
	progress: Progress;
};

/** Counts results, and lists refused lines by number, code and message. Never shows the line itself. */
export const openImportReport = async ({ refused: path, json, progress }: ReportOptions) => {
	const file: OutputFile | null = path === undefined ? null : await openOutputFile(path, { secret: false });
	const counts = { imported: 0, existing: 0, refused: 0 };
	return {
		counts,
		add: ({ imported, existing }: { imported: number; existing: number }): void => {
			counts.imported += imported;
			counts.existing += existing;
		},
		refuse: async (line: number, { code, message }: Refusal): Promise<void> => {
			counts.refused += 1;
			const entry = plainJson({ line, code, message });
			if (file) await file.write(`${entry}\n`);
			else progress.above(json ? entry : `line ${line}: ${plainText(code)}  ${plainText(message)}`);
		},
		/** Also called after a failure, to keep the lines refused so far. */
		close: async (): Promise<void> => {
			await file?.complete();
		},
		says: (): string =>
			[
				`${count(counts.imported)} imported`,
				`${count(counts.existing)} already exist`,
				`${count(counts.refused)} refused${path === undefined || counts.refused === 0 ? "" : ` (see ${path})`}`,
			].join(", "),
	};
};

const count = (number: number): string => number.toLocaleString("en");
