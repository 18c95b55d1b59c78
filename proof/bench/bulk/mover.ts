import { answerCalls } from "test-kit/processes";
import { type Client, openClient, orThrow } from "../server/client.ts";
import { BATCH, type Person, personOf, takeCensus } from "./person.ts";

// Moves users in and out, in a separate process that does not disturb the measurements.

let client: Client | null = null;
const clientOf = (origin: string): Client => {
	client ??= openClient(origin, { connections: 1 });
	return client;
};
let sent = takeCensus();
let received = takeCensus();

type Imported = { imported: number; existing: number; refused: unknown[] };

const calls = {
	/** Imports users in batches. */
	importUsers: async (asked: { origin: string; tenantId: string; prefix: string; from: number; to: number }) => {
		if (asked.from === 0) sent = takeCensus();
		for (let from = asked.from; from < asked.to; from += BATCH) {
			const length = Math.min(BATCH, asked.to - from);
			const users = Array.from({ length }, (_, index) => personOf(asked.prefix, from + index));
			const body = { tenantId: asked.tenantId, users };
			const answer = orThrow(await clientOf(asked.origin).send("/tenant/import-users", { operator: true, body }));
			const { imported } = answer.json as Imported;
			if (imported !== length) throw new Error(`not all were imported: ${JSON.stringify(answer.json).slice(0, 500)}`);
			for (const user of users) sent.count(user);
		}
		return sent.read();
	},
	/** Reads pages of the export; returns the next page's query, or null at the end. */
	exportUsers: async (asked: { origin: string; query: string; pages: number; first: boolean }) => {
		if (asked.first) received = takeCensus();
		let query: string | null = asked.query;
		for (let page = 0; query !== null && page < asked.pages; page += 1) {
			const path = `/tenant/export-users${query}`;
			const answer = orThrow(await clientOf(asked.origin).send(path, { operator: true }));
			for (const person of answer.json as Person[]) received.count(person);
			query = answer.next === null ? null : new URL(answer.next).search;
		}
		return { query, census: received.read() };
	},
	deleteTenant: async ({ origin, tenantId }: { origin: string; tenantId: string }) => {
		orThrow(await clientOf(origin).send("/tenant/delete", { operator: true, body: { tenantId } }));
	},
};
export type MoverProcess = typeof calls;

answerCalls(calls, async () => client?.close());
