import { defineCallPart } from "../../lib/call.ts";
import { fetchPublic } from "./public-fetch.ts";

/** The largest response that is read from a provider. Profiles and tokens take a few kilobytes. */
const MAX_BYTES = 1_000_000;

type Bounds = {
	signal: AbortSignal;
	/** refuses private addresses, also when a public name resolves to one */
	publicHostsOnly: boolean;
	/** URLs that the application allows in spite of `publicHostsOnly` */
	trusts?: (url: string) => boolean;
	/** whether all calls to the provider are done; later calls are not bounded */
	isOver?: () => boolean;
};

const bounds = defineCallPart<Bounds>();
const BOUNDED = Symbol.for("better-auth-tenants.bounded-fetch");

/**
 * Limits the calls to a provider. The signal aborts pending requests, a body may have one megabyte, and redirects are
 * not followed, because a tenant's own provider could redirect the server to a private address.
 *
 * The engine's providers call the global fetch and accept no signal, so the global fetch is wrapped once. Outside of
 * `run` the wrapper passes every call on unchanged.
 */
export const withBoundedFetch = <Result>(bound: Bounds, run: () => Promise<Result>): Promise<Result> => {
	wrapGlobalFetch();
	return bounds.run(bound, run);
};

/** Runs the application's own code without these limits when a provider calls it. */
export const outsideBounds = <Result>(run: () => Result): Result => bounds.exit(run);

const wrapGlobalFetch = (): void => {
	const plain = globalThis.fetch;
	if (BOUNDED in plain) return;
	const bounded: typeof fetch = async (input, init) => {
		const bound = bounds.now();
		if (!bound || bound.isOver?.()) return plain(input, init);
		const signal = init?.signal ? AbortSignal.any([bound.signal, init.signal]) : bound.signal;
		const sent = { ...init, redirect: "manual" as const, signal };
		const isChecked = bound.publicHostsOnly && !bound.trusts?.(input instanceof Request ? input.url : String(input));
		return cutBody(await (isChecked ? fetchPublic(input, sent, plain) : plain(input, sent)));
	};
	globalThis.fetch = Object.assign(bounded, { [BOUNDED]: true });
};

/** Reads a response's body. The engine's providers read it at once too, and counting it as a stream would take longer. */
const cutBody = async (response: Response): Promise<Response> => {
	// a response with status 0 (an opaque redirect) has no body and cannot be constructed again
	if (!response.body || response.status < 200) return response;
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let received = 0;
	for await (const chunk of response.body) {
		received += chunk.byteLength;
		// leaving the loop cancels the rest of the body
		if (received > MAX_BYTES) throw new Error("The provider's response is too long");
		chunks.push(chunk);
	}
	const [only] = chunks;
	return new Response(only && chunks.length === 1 ? only : new Blob(chunks), response);
};
