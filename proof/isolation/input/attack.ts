import * as fc from "fast-check";
import type { Database } from "test-kit/run-database";
import { Pool } from "undici";
import type { RunningApp } from "../app/start-app.ts";
import { type GeneratedRequest, generatedRequests } from "./generate-request.ts";
import { isSlow, judgeAnswer } from "./judge-answer.ts";
import { createPeople } from "./people.ts";
import { fillIn } from "./plausible.ts";
import { asCommand } from "./replay.ts";
import { sendRequest, type WireAnswer, type WireRequest } from "./send-request.ts";
import type { Tally } from "./tally.ts";

/** Requests are created, and users renewed, per batch. A request can be created again from its seed and number. */
export const BATCH = 500;
const CONCURRENCY = 16;

type Attack = {
	app: RunningApp;
	database: Database;
	providerOrigin: string;
	/** the first request's number, and the one after the last */
	from: number;
	to: number;
	tally: Tally;
	/** a request that takes too long is a finding */
	byTime: boolean;
};

type Sent = { index: number; endpoint: string; request: WireRequest; answer: WireAnswer };

/** Sends the requests of a seed in a range, and checks every response. */
export const attack = async ({ app, database, providerOrigin, from, to, tally, byTime }: Attack): Promise<void> => {
	const port = Number(new URL(app.origin).port);
	const pool = new Pool(`http://127.0.0.1:${port}`, { connections: CONCURRENCY });
	const people = await createPeople(app, database);
	const endpoints = await app.call("endpoints");
	tally.sees(endpoints.length);
	const requests = generatedRequests(endpoints);

	const judge = (sent: Sent): void =>
		report(sent, judgeAnswer(sent.request, sent.answer, { origin: app.origin, providerOrigin }));
	const report = ({ index, endpoint, request, answer }: Sent, wrong: string[]): void => {
		if (wrong.length === 0) return;
		const shown = `${answer.status} ${JSON.stringify(answer.headers)} ${answer.text.slice(0, 400)}`;
		const logged = app.output.join("").slice(-3_000);
		tally.found({ index, endpoint, wrong, answer: shown, logged, command: asCommand(app.origin, request) });
	};

	const sendBatch = async (start: number): Promise<void> => {
		const batch = makeBatch(requests, tally.seed, start);
		const end = Math.min(to, start + BATCH);
		const slow: Sent[] = [];
		let next = Math.max(from, start);
		const sendNext = async (): Promise<void> => {
			while (next < end) {
				const index = next++;
				const generated = batch[index - start];
				if (!generated) return;
				const request = onTheWire(generated, { ...people.known, ...newNames(index) }, port);
				const sent = { index, endpoint: generated.endpoint, request, answer: await sendRequest(pool, port, request) };
				tally.count(sent.answer.status, sent.answer.milliseconds);
				if (byTime && isSlow(sent.answer)) slow.push(sent);
				else judge(sent);
				// the whole output would not fit into memory
				if (app.output.length > 50) app.output.splice(0, app.output.length - 50);
			}
		};
		await Promise.all(Array.from({ length: CONCURRENCY }, sendNext));
		// the machine may have been busy: a slow request is slow again
		for (const sent of slow) {
			const answer = await sendRequest(pool, port, sent.request);
			judge({ ...sent, answer });
			if (isSlow(answer)) report(sent, [`slow: ${Math.round(answer.milliseconds)} ms`]);
		}
	};

	try {
		for (let start = from - (from % BATCH); start < to; start += BATCH) {
			await people.renew();
			await sendBatch(start);
			const changed = await app.call("prototypes");
			const wrong = [...(await whatIsWrong(people.call)), ...changed.map((name) => `a prototype has ${name}`)];
			if (wrong.length > 0)
				tally.found({
					index: start,
					endpoint: "the batch that starts",
					wrong,
					answer: "",
					logged: app.output.join("").slice(-3_000),
					command: "",
				});
		}
		tally.asked(await app.call("unhandled"), await app.call("prototypes"));
	} finally {
		await people.close();
		await pool.destroy();
	}
};

/** A batch depends on the seed and its position only. */
const makeBatch = (requests: fc.Arbitrary<GeneratedRequest>, seed: number, start: number): GeneratedRequest[] =>
	fc.sample(requests, { seed: (seed + Math.imul(start, 2_654_435_761)) | 0, numRuns: BATCH });

const newNames = (index: number): Record<string, string> => ({
	emailNew: `new-${index}@example.com`,
	slugNew: `new-${index}`,
});

const onTheWire = (generated: GeneratedRequest, known: Record<string, string>, port: number): WireRequest => {
	const headers = generated.headers.map(([name, value]): [string, string] => [name, fillIn(value, known)]);
	if (!headers.some(([name]) => name === "host")) headers.unshift(["host", `localhost:${port}`]);
	return {
		method: generated.method,
		target: fillIn(generated.target, known),
		headers,
		body: generated.body && Buffer.from(fillIn(generated.body.text, known), generated.body.encoding),
	};
};

/** Checks that the process responds quickly, and that its responses contain nothing from an earlier request. */
const whatIsWrong = async (call: Awaited<ReturnType<typeof createPeople>>["call"]): Promise<string[]> => {
	const ask = async () => {
		const before = performance.now();
		const { status, json } = await call("/ok");
		const isOk = status === 200 && JSON.stringify(json) === '{"ok":true}';
		return { isOk, said: `${status} ${JSON.stringify(json)}`, took: performance.now() - before };
	};
	let seen = await ask();
	// like the slow requests above
	for (let again = 0; again < 2 && seen.isOk && seen.took >= 1_000; again += 1) seen = await ask();
	return [
		...(seen.isOk ? [] : [`/ok returned ${seen.said}`]),
		...(seen.took < 1_000 ? [] : [`/ok took ${Math.round(seen.took)} ms, three times`]),
	];
};
