import { type ImportReport, openImportReport } from "./import-report.ts";
import { createInFlight, type InFlight } from "./in-flight.ts";
import { openInputFile } from "./input-file.ts";
import { parseRecord, readLines } from "./ndjson.ts";
import type { Output } from "./output.ts";
import { startProgress } from "./progress.ts";

/** A few at once keep the server busy and leave it room for people who sign in. */
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
	/** takes one line after the other; what it hands to `inFlight` goes on beside the reading */
	take: (line: NumberedRecord, work: Work) => Promise<void>;
	/** after the last line */
	finish?: (work: Work) => Promise<void>;
};

/** Reads a file line by line and sends what it holds. Refused lines are listed, and make the command fail at its end. */
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
		await work.inFlight.settle().catch(() => {}); // the failure that is told is the first one
		progress.stop();
		output.note(`Stopped: ${report.says()}. What was imported stays; run the same command again to go on.`);
		throw error;
	} finally {
		progress.stop();
		await report.close();
	}
	if (report.counts.refused > 0) process.exitCode = 1;
	const seconds = (Date.now() - began) / 1000;
	await output.result({ lines, ...report.counts }, `${report.says()}, in ${seconds.toFixed(1)} s`);
};
