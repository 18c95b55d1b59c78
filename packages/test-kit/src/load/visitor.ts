import { Browser } from "../browser.ts";
import { codeOf, parseBody } from "./answer-body.ts";
import { MANAGEMENT_KEY } from "./management-key.ts";

export type Answer = {
	/** 0 without a response: refused, cut off or timed out */
	status: number;
	/** why there is no response */
	failure: "cut off" | "too late" | null;
	json: unknown;
	code: string | null;
	location: string | null;
	ms: number;
};

export type Sent = {
	body?: object | undefined;
	tenant?: string | undefined;
	/** manages tenants */
	operator?: boolean;
	/** for slow requests */
	patienceMs?: number;
};

/** The maximum wait for a response, whatever fails behind the application. */
const PATIENCE_MS = 15_000;

/** A user with a browser, or the operator. */
export class Visitor {
	readonly browser: Browser;
	readonly #origin: () => string;
	readonly #onAnswer: (answer: Answer) => void;

	constructor(origin: () => string, browser = new Browser(), onAnswer: (answer: Answer) => void = () => {}) {
		this.#origin = origin;
		this.browser = browser;
		this.#onAnswer = onAnswer;
	}

	/** Another window with the same cookies, or with earlier ones. */
	copy(): Visitor {
		return new Visitor(this.#origin, this.browser.copy(), this.#onAnswer);
	}

	async send(path: string, sent: Sent = {}): Promise<Answer> {
		const answer = await this.#ask(path, sent);
		this.#onAnswer(answer);
		return answer;
	}

	async #ask(path: string, { body, tenant, operator, patienceMs = PATIENCE_MS }: Sent): Promise<Answer> {
		const origin = this.#origin();
		const url = new URL(path.startsWith("http") ? path : `${origin}/api/auth${path}`);
		url.hostname = "127.0.0.1";
		const headers: Record<string, string> = { origin, cookie: this.browser.header() };
		if (body) headers["content-type"] = "application/json";
		if (tenant) headers["x-tenant-id"] = tenant;
		if (operator) headers.authorization = `Bearer ${MANAGEMENT_KEY}`;
		const began = performance.now();
		const signal = AbortSignal.timeout(patienceMs);
		try {
			const response = await fetch(url, {
				method: body ? "POST" : "GET",
				headers,
				redirect: "manual",
				signal,
				...(body ? { body: JSON.stringify(body) } : {}),
			});
			const json = parseBody(await response.text());
			this.browser.take(response);
			return {
				status: response.status,
				failure: null,
				json,
				code: codeOf(json),
				location: response.headers.get("location"),
				ms: performance.now() - began,
			};
		} catch {
			const failure = signal.aborted ? "too late" : "cut off";
			return { status: 0, failure, json: null, code: null, location: null, ms: performance.now() - began };
		}
	}
}

/** A field of a response at any depth; undefined if missing. */
export const pick = (json: unknown, ...path: string[]): unknown =>
	path.reduce<unknown>(
		(value, name) =>
			typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined,
		json,
	);

/** A response, for an error message. */
export const show = ({ status, code, failure, location, json }: Answer): string =>
	[status || failure, code, location, status >= 200 && status < 300 ? null : !code && JSON.stringify(json)]
		.filter(Boolean)
		.join(" ");

export const PASSWORD = "correct horse battery";

/** Creates a tenant as operator. */
export const newTenant = async (operator: Visitor, slug: string): Promise<string> => {
	const answer = await operator.send("/tenant/create", { operator: true, body: { name: slug, slug } });
	const id = pick(answer.json, "id");
	if (typeof id !== "string") throw new Error(`no tenant: ${show(answer)}`);
	return id;
};
