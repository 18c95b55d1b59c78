import type { GenericEndpointContext } from "@better-auth/core";
import type { BetterAuthDBSchema } from "@better-auth/core/db";
import type { EndpointKind } from "../../endpoints/endpoint.ts";
import { endpointOf } from "../../endpoints/endpoints.ts";
import type { FieldBounds } from "./field-bounds.ts";
import { tooLong } from "./too-long.ts";

/** Endpoints that anyone can call. On others, a field of this name can belong to another table. */
const FOR_ANYONE: readonly EndpointKind[] = ["entry", "open", "link"];

/**
 * Rejects a value of a user that is too long, before the endpoint looks the user up. When it is written, the error would
 * reveal that an email is not taken, and a name in a magic link would fail only when the link is used.
 */
export const createSentFieldCheck = ({ boundOf }: FieldBounds, { user }: BetterAuthDBSchema) => {
	const bounds = Object.keys(user?.fields ?? {}).map((field): [string, number] => [field, boundOf("user", field)]);
	return ({ path, body }: Pick<GenericEndpointContext, "path" | "body">): void => {
		if (typeof body !== "object" || body === null || !FOR_ANYONE.includes(endpointOf(path).kind)) return;
		for (const [field, most] of bounds) {
			const value: unknown = body[field];
			if (typeof value === "string" && value.length > most) throw tooLong(field, most);
		}
	};
};
