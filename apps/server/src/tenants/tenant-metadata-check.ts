import { createAuthMiddleware } from "@better-auth/core/api";
import type { APIError } from "better-auth/api";
import type { tenantAuth } from "better-auth-tenants";

type MetadataCheck = {
	/** the field of the metadata */
	field: string;
	refusal: (problem: string) => APIError;
	/** what is wrong, and how to fix it */
	problemsOf: (given: unknown) => string[];
};

/**
 * Rejects a tenant's metadata if one of its fields is invalid. The check runs behind the guard of the endpoints: before it,
 * callers who may not manage could find out what is allowed.
 */
export const refuseInvalidMetadata = (
	{ endpoints }: Pick<ReturnType<typeof tenantAuth>, "endpoints">,
	{ field, refusal, problemsOf }: MetadataCheck,
): void => {
	const check = createAuthMiddleware(async (ctx) => {
		const [problem] = problemsOf(fieldIn(ctx.body, field));
		if (problem) throw refusal(problem);
	});
	// the endpoints that write metadata
	for (const endpoint of [endpoints.createTenant, endpoints.updateTenant, endpoints.importTenant])
		runLast(endpoint, check);
};

/** Appends a middleware to those that run before the handler. */
const runLast = ({ options }: { options: { use?: unknown[] } }, middleware: unknown): void => {
	options.use = [...(options.use ?? []), middleware];
};

const fieldIn = (body: unknown, field: string): unknown => {
	if (typeof body !== "object" || body === null || !("metadata" in body)) return undefined;
	const { metadata } = body;
	if (typeof metadata !== "object" || metadata === null || !Object.hasOwn(metadata, field)) return undefined;
	return Reflect.get(metadata, field);
};
