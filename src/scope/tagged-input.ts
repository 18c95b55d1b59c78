import type { GenericEndpointContext } from "@better-auth/core";
import { endpointKind } from "./endpoint-kind.ts";
import { readTag, type Tagged } from "./tag.ts";

/** The parts of a request that are replaced before the endpoint sees it. */
export type RequestPatch = {
	query?: Record<string, unknown>;
	body?: Record<string, unknown>;
	params?: Record<string, unknown>;
};

/** A token or OAuth state that came back from outside and says its tenant. */
export type TaggedInput = {
	/** null when the tag is malformed */
	tagged: Tagged | null;
	/** the request with the value as the engine stored it */
	untagged: (value: string) => RequestPatch;
};

/** Finds the tagged value of a mail link (`token`) or of a provider's redirect (`state`). Null where there is none. */
export const readTaggedInput = (ctx: GenericEndpointContext): TaggedInput | null => {
	const kind = endpointKind(ctx.path);
	if (kind !== "link" && kind !== "callback") return null;
	const name = kind === "link" ? "token" : "state";
	for (const part of ["params", "body", "query"] as const) {
		const input = ctx[part] as Record<string, unknown> | undefined;
		const value = input && typeof input === "object" ? input[name] : undefined;
		if (typeof value === "string" && value !== "") {
			return { tagged: readTag(value), untagged: (plain) => ({ [part]: { ...input, [name]: plain } }) };
		}
	}
	return null;
};
