import type { GenericEndpointContext } from "@better-auth/core";
import { endpointOf } from "../engine/endpoints.ts";
import { readTag, type Tagged } from "./tag.ts";

/** The parts of a request that are replaced before the endpoint sees it. */
export type RequestPatch = {
	query?: Record<string, unknown>;
	body?: Record<string, unknown>;
	params?: Record<string, unknown>;
};

/** A token or OAuth state that came back from outside and says its tenant. */
export type TaggedInput = {
	/** null when the tag is malformed, or the value stands in several places and is not the same in each */
	tagged: Tagged | null;
	/** the request with the value as the engine stored it */
	untagged: (value: string) => RequestPatch;
};

type Place = { part: keyof RequestPatch; input: Record<string, unknown>; value: unknown };

/** Finds the tagged value of a mail link (`token`) or of a provider's redirect (`state`). Null where there is none. */
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
	// plugins differ in which of two values they take: one would choose the tenant, and the other would be used in it
	const isOne = places.every(({ value }) => value === first.value);
	return {
		tagged: isOne && typeof first.value === "string" ? readTag(first.value) : null,
		untagged: (plain) => Object.fromEntries(places.map(({ part, input }) => [part, { ...input, [name]: plain }])),
	};
};
