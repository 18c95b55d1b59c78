import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../../endpoints/endpoints.ts";
import { readTag, type Tagged } from "../pin/tag.ts";

/** The parts of a request that are replaced before the endpoint sees it. */
export type RequestPatch = {
	query?: Record<string, unknown>;
	body?: Record<string, unknown>;
	params?: Record<string, unknown>;
};

/** A token or OAuth state in a request, tagged with its tenant. */
export type TaggedInput = {
	/** null if the tag is malformed, or if several parts of the request have different values */
	tagged: Tagged | null;
	/** replaces the tagged value with the value that the engine stored */
	untagged: (value: string) => RequestPatch;
};

type Place = { part: keyof RequestPatch; input: Record<string, unknown>; value: unknown };

/** Finds the tagged value of an email link (`token`) or of a provider's redirect (`state`). Null if there is none. */
export const readTaggedInput = (ctx: GenericEndpointContext): TaggedInput | null => {
	const { kind } = endpointOf(ctx.path);
	if (kind !== "link" && kind !== "callback") return null;
	const name = kind === "link" ? "token" : "state";
	const places = (["params", "body", "query"] as const).flatMap((part): Place[] => {
		const input = ctx[part] as Record<string, unknown> | undefined;
		const value = input && typeof input === "object" ? input[name] : undefined;
		return input && value !== undefined && value !== "" ? [{ part, input, value }] : [];
	});
	const [first] = places;
	if (!first) return null;
	// plugins read different parts: with two values, one could choose the tenant and the other could be used in it
	const isOne = places.every(({ value }) => value === first.value);
	return {
		tagged: isOne && typeof first.value === "string" ? readTag(first.value) : null,
		untagged: (plain) => Object.fromEntries(places.map(({ part, input }) => [part, { ...input, [name]: plain }])),
	};
};
