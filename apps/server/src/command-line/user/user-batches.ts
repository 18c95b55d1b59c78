/** One user to send, as JSON text. */
export type UserLine = { line: number; tenantId: string; json: string; accounts: number };

/** The API's maximum of users per call. */
const MAX_LINES = 500;
/** The API's maximum of accounts per call, over all its users. */
const MAX_ACCOUNTS = 2_000;
/** Below the server's default BODY_LIMIT of 1 MiB, with room for the rest of the body. */
const MAX_BYTES = 768 * 1024;
/** The maximum size of incomplete batches when lines alternate between tenants. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

type Batch = { lines: UserLine[]; bytes: number; accounts: number };

/** Groups lines by tenant, in any order, and returns batches that are ready to send. */
export const createUserBatches = () => {
	const waiting = new Map<string, Batch>();
	let bytes = 0;

	const remove = (tenantId: string): UserLine[] => {
		const batch = waiting.get(tenantId);
		waiting.delete(tenantId);
		bytes -= batch?.bytes ?? 0;
		return batch?.lines ?? [];
	};
	const put = (line: UserLine, size: number): Batch => {
		const batch = waiting.get(line.tenantId) ?? { lines: [], bytes: 0, accounts: 0 };
		batch.lines.push(line);
		batch.bytes += size;
		batch.accounts += line.accounts;
		bytes += size;
		waiting.set(line.tenantId, batch);
		return batch;
	};

	return {
		add: (line: UserLine): UserLine[][] => {
			const size = Buffer.byteLength(line.json) + 1;
			const ready: UserLine[][] = [];
			const before = waiting.get(line.tenantId);
			const isFull = before && (before.bytes + size > MAX_BYTES || before.accounts + line.accounts > MAX_ACCOUNTS);
			if (isFull) ready.push(remove(line.tenantId));
			if (put(line, size).lines.length >= MAX_LINES) ready.push(remove(line.tenantId));
			while (bytes > MAX_WAITING_BYTES) ready.push(remove(largest(waiting)));
			return ready;
		},
		/** The incomplete batches after the last line. */
		rest: (): UserLine[][] => [...waiting.keys()].map(remove),
	};
};

const largest = (waiting: ReadonlyMap<string, Batch>): string => {
	let found = "";
	let most = -1;
	for (const [tenantId, { bytes }] of waiting)
		if (bytes > most) {
			found = tenantId;
			most = bytes;
		}
	return found;
};
