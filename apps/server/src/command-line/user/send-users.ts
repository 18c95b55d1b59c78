import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { ApiError } from "../command-error.ts";
import type { ImportReport } from "../import-report.ts";
import type { UserLine } from "./user-batches.ts";

const answer = z.object({
	imported: z.int().min(0),
	existing: z.int().min(0),
	refused: z.array(z.object({ index: z.int().min(0), code: z.string(), message: z.string() })),
});

type SendWith = {
	api: ApiClient;
	report: ImportReport;
	/** refuse the lines of a missing tenant instead of ending the import */
	skipsMissingTenants: boolean;
};

/** Sends users of one tenant. A refused batch is split in half until the invalid lines are found. */
export const sendUsers = async (lines: readonly UserLine[], to: SendWith): Promise<void> => {
	const [first] = lines;
	if (!first) return;
	try {
		const done = await to.api.post("/tenant/import-users", {
			answer,
			body: `{"tenantId":${JSON.stringify(first.tenantId)},"users":[${lines.map(({ json }) => json).join(",")}]}`,
			repeatable: true,
			patience: "long",
			timeout: 120,
		});
		to.report.add(done);
		for (const { index, ...refusal } of done.refused) await to.report.refuse(lines[index]?.line ?? 0, refusal);
	} catch (error) {
		if (!(error instanceof ApiError)) throw error;
		if (error.code === "TENANT_NOT_FOUND" && to.skipsMissingTenants) return refuseAll(lines, error, to.report);
		if (error.status !== 413 && error.status !== 400) throw error;
		if (lines.length === 1) return refuseAll(lines, error.status === 413 ? TOO_LARGE : error, to.report);
		const half = Math.ceil(lines.length / 2);
		await sendUsers(lines.slice(0, half), to);
		await sendUsers(lines.slice(half), to);
	}
};

const TOO_LARGE = { code: "BODY_TOO_LARGE", message: "This line exceeds the server's BODY_LIMIT" };

const refuseAll = async (
	lines: readonly UserLine[],
	{ code, message }: { code: string; message: string },
	report: ImportReport,
): Promise<void> => {
	for (const { line } of lines) await report.refuse(line, { code, message });
};
