import { useCallback, useLayoutEffect, useRef } from "react";
import type { TenantClient } from "./client.ts";
import { type Failure, failureOf } from "./failures.ts";

type Call = { body?: Record<string, unknown>; query?: Record<string, string> };

export type Outcome<Data> = { data: Data; failure: null } | { data: null; failure: Failure };

/** Calls an endpoint for the current tenant: with GET, or with POST if there is a body. */
export type Send = <Data>(path: string, call?: Call) => Promise<Outcome<Data>>;

/**
 * Returns the function that sends a tenant's requests. When the tenant is no longer shown, its requests are aborted and never
 * settle, so no line after an `await` runs for it.
 */
export const useSend = (authClient: TenantClient, tenantId: string | null, tenantHeader: string): Send => {
	const controller = useRef<AbortController>(null);
	// a layout effect, because it runs before the effects of the components below, which may send
	useLayoutEffect(() => {
		const current = new AbortController();
		controller.current = current;
		return () => current.abort();
	}, []);
	return useCallback<Send>(
		async <Data>(path: string, { body, query }: Call = {}) => {
			const signal = controller.current?.signal;
			if (!signal || signal.aborted) return never();
			const outcome = await settle<Data>(
				authClient.$fetch<Data>(path, {
					method: body ? "POST" : "GET",
					...(body ? { body } : {}),
					...(query ? { query } : {}),
					headers: tenantId === null ? {} : { [tenantHeader]: tenantId },
					signal,
					// the application may have set it for its own calls
					throw: false,
				}),
			);
			return signal.aborted ? never() : outcome;
		},
		[authClient, tenantId, tenantHeader],
	);
};

const never = (): Promise<never> => new Promise(() => {});

type Response<Data> = { data: Data | null; error: { status: number; code?: string | undefined } | null };

const settle = async <Data>(response: Promise<Response<Data>>): Promise<Outcome<Data>> => {
	try {
		const { data, error } = await response;
		if (error) return { data: null, failure: failureOf(error) };
		return { data: data as Data, failure: null };
	} catch {
		return { data: null, failure: failureOf({ status: 0 }) };
	}
};
