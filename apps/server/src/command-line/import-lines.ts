import { type ImportReport, openImportReport } from "./import-report.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { openInputFile } from "./input-file.ts";
import { parseRecord, readLines } from "./ndjson.ts";
import type { Output } from "./output.ts";
import { startProgress } from "./progress.ts";

/** Keeps the server busy and leaves room for sign-ins. */
const AT_ONCE = 4;

export type NumberedRecord = { line: number; record: Record<string, unknown> };

type Work = {
	inFlight: InFlight;
	report: ImportReport;
};

type Import = {
	title: string;
	file: string | undefined;
	refused: string | undefined;
	output: Output;
	/** called for each line in order; work passed to `inFlight` runs while reading continues */
	take: (line: NumberedRecord, work: Work) => Promise<void>;
	/** after the last line */
	finish?: (work: Work) => Promise<void>;
};

/** Reads a file line by line and imports it. Refused lines are listed, and the exit code is then 1. */
export const importLines = async ({ title, file, refused, output, take, finish }: Import): Promise<void> => {
	const input = await openInputFile(file);
	const progress = startProgress({ title, total: input.bytes });
	const report = await openImportReport({ refused, json: output.isJson, progress });
	const work = { inFlight: createInFlight(AT_ONCE), report };
	const began = Date.now();
	let bytes = 0;
	let lines = 0;
	try {
		for await (const line of readLines(input.source)) {
			lines += 1;
			bytes += line.bytes;
			const parsed = parseRecord(line);
			if ("refusal" in parsed) await report.refuse(line.number, parsed.refusal);
			else await take({ line: line.number, record: parsed.record }, work);
			if (lines % 100 === 0) progress.update(bytes, report.says());
		}
		await finish?.(work);
		await work.inFlight.settle();
	} catch (error) {
		await work.inFlight.settle().catch(() => {}); // the first failure is reported
		progress.stop();
		output.note(`Stopped: ${report.says()}. Imported records are kept. Run the same command again to continue.`);
		throw error;
	} finally {
		progress.stop();
		await report.close();
	}
	if (report.counts.refused > 0) process.exitCode = 1;
	const seconds = (Date.now() - began) / 1000;
	await output.result({ lines, ...report.counts }, `${report.says()}, in ${seconds.toFixed(1)} s`);
};
