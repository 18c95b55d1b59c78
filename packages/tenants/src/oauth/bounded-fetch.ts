import { AsyncLocalStorage } from "node:async_hooks";
import { fetchPublic } from "./public-fetch.ts";

/** What a provider's answer may cost us at the most. Profiles and tokens have kilobytes. */
const MAX_BYTES = 1_000_000;

type Bounds = {
	signal: AbortSignal;
	/** refuse to call addresses inside a network, wherever a name leads */
	publicHostsOnly: boolean;
	/** but for those that the application allows */
	trusts?: (url: string) => boolean;
	/** whether all calls to the provider have been made: what follows is not bounded */
	isOver?: () => boolean;
};

const bounds = new AsyncLocalStorage<Bounds>();
const BOUNDED = Symbol.for("better-auth-tenants.bounded-fetch");

/**
 * Runs calls to a provider with an end: what has not answered when the signal fires is cut off, bodies are cut at one
 * megabyte, and redirects are not followed (a tenant's own provider could send the server to an inside address).
 *
 * The engine's providers call the global fetch and take no signal, so the global fetch is wrapped, once. Outside of
 * `run` the wrapper hands every call on untouched.
 */
export const withBoundedFetch = <Result>(bound: Bounds, run: () => Promise<Result>): Promise<Result> => {
	wrapGlobalFetch();
	return bounds.run(bound, run);
};

/** Runs the application's own code, called by a provider, without these bounds. */
export const outsideBounds = <Result>(run: () => Result): Result => bounds.exit(run);

const wrapGlobalFetch = (): void => {
	const plain = globalThis.fetch;
	if (BOUNDED in plain) return;
	const bounded: typeof fetch = async (input, init) => {
		const bound = bounds.getStore();
		if (!bound || bound.isOver?.()) return plain(input, init);
		const signals = init?.signal ? [bound.signal, init.signal] : [bound.signal];
		const sent = { ...init, redirect: "manual" as const, signal: AbortSignal.any(signals) };
		const isChecked = bound.publicHostsOnly && !bound.trusts?.(input instanceof Request ? input.url : String(input));
		return cutBody(await (isChecked ? fetchPublic(input, sent, plain) : plain(input, sent)));
	};
	globalThis.fetch = Object.assign(bounded, { [BOUNDED]: true });
};

const cutBody = (response: Response): Response => {
	// a response of status 0 (an opaque redirect) cannot be made anew, and has no body
	if (!response.body || response.status < 200) return response;
	let received = 0;
	const counting = new TransformStream<Uint8Array, Uint8Array>({
		transform: (chunk, controller) => {
			received += chunk.byteLength;
			if (received > MAX_BYTES) controller.error(new Error("The provider's answer is too long"));
			else controller.enqueue(chunk);
		},
	});
	return new Response(response.body.pipeThrough(counting), response);
};
