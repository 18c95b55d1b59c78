import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import type { Answer } from "./http.ts";

export const tenantShape = z.looseObject({
	id: z.string().min(1),
	name: z.string(),
	slug: z.string(),
	metadata: z.record(z.string(), z.unknown()).nullish(),
});

export const configShape = z.looseObject({
	tenantId: z.string(),
	providerId: z.string(),
	clientId: z.string(),
	scopes: z.array(z.string()).nullish(),
	redirectURI: z.string().nullish(),
	callbackURL: z.string().nullish(),
	enabled: z.boolean(),
});

const userShape = z.looseObject({
	id: z.string(),
	name: z.string(),
	email: z.string(),
	image: z.string().nullish(),
});

export const signedInShape = z.looseObject({
	user: userShape,
	session: z.looseObject({ userId: z.string(), tenantId: z.string(), expiresAt: z.string() }),
});

/** Invalid values of a required string; undefined omits the field. */
export const notStrings = [undefined, null, 7, ["text"], { text: "text" }];

/** The body of a successful response, validated. */
export const ok = <T>(answer: Answer, shape: z.ZodType<T>): T => {
	assert.equal(answer.status, 200, `${told(answer)}, expected 200`);
	const body = shape.safeParse(answer.json);
	assert.ok(body.success, `${told(answer)} has another shape: ${body.error && z.prettifyError(body.error)}`);
	return body.data;
};

/** An error: the specification does not list statuses, so any 4xx counts unless a status and code are given. */
export const refused = (answer: Answer, status?: number, code?: string) => {
	const expected = status === undefined ? "a refusal" : `${status} ${code ?? ""}`.trim();
	const isExpected = status === undefined ? answer.status >= 400 && answer.status < 500 : answer.status === status;
	assert.ok(isExpected, `${told(answer)}, expected ${expected}`);
	if (code !== undefined) assert.equal(codeOf(answer), code, `${told(answer)}, expected ${expected}`);
};

export const codeOf = (answer: Answer): string | undefined =>
	z.looseObject({ code: z.string() }).safeParse(answer.json).data?.code;

/** Where a response redirects the browser: a 3xx, or `{ url }`, which Better Auth's client follows. */
export const destination = (answer: Answer, base: string): URL => {
	const inBody = z.looseObject({ url: z.string() }).safeParse(answer.json).data?.url;
	const address = answer.headers.get("location") ?? inBody;
	assert.ok(address && answer.status < 400, `${told(answer)}, expected a redirect`);
	return new URL(address, base);
};

/** Where a callback redirects the browser: only a 3xx redirects a navigation. */
export const redirection = (answer: Answer, base: string): URL => {
	assert.ok(answer.status >= 300 && answer.status < 400, `${told(answer)}, expected a redirect`);
	return destination(answer, base);
};

/** Whether the session cookie of a response outlives the browser. */
export const isRemembered = (answer: Answer): boolean => {
	const cookie = answer.setCookies.find((line) => /^[^=]*session_token=/.test(line));
	assert.ok(cookie, `${told(answer)} sets no session cookie`);
	return /;\s*max-age=[1-9]/i.test(cookie);
};

/** Waits for work that a deployment may finish after its response. */
export const eventually = async (attempt: () => Promise<void>, seconds = 30): Promise<void> => {
	for (const deadline = Date.now() + seconds * 1000; ; ) {
		try {
			return await attempt();
		} catch (cause: unknown) {
			if (Date.now() > deadline) throw cause;
			await sleep(200);
		}
	}
};

const told = (answer: Answer) => `${answer.request} answered ${answer.status} ${answer.text.slice(0, 200)}`;
