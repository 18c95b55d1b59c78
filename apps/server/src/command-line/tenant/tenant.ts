import * as z from "zod";
import { alignFields } from "../../lib/plain-text.ts";
import { CommandError } from "../command-error.ts";

/** A tenant as returned by the API. */
export const tenantAnswer = z.looseObject({
	id: z.string(),
	name: z.string(),
	slug: z.string(),
	metadata: z.record(z.string(), z.unknown()).nullable(),
	createdAt: z.string(),
	updatedAt: z.string(),
	/** only if the server has TENANT_LIFECYCLE */
	lifecycle: z.looseObject({ status: z.string(), reason: z.string().nullable(), at: z.string().nullable() }).optional(),
});

export type Tenant = z.output<typeof tenantAnswer>;

export const tenantText = (tenant: Tenant): string =>
	alignFields({
		id: tenant.id,
		slug: tenant.slug,
		name: tenant.name,
		metadata: tenant.metadata && JSON.stringify(tenant.metadata),
		created: tenant.createdAt,
		updated: tenant.updatedAt,
		...(tenant.lifecycle ? { status: tenant.lifecycle.status, reason: tenant.lifecycle.reason } : {}),
	});

/** Parses --metadata. */
export const readMetadata = (given: string | undefined): Record<string, unknown> | undefined => {
	if (given === undefined) return undefined;
	try {
		const value: unknown = JSON.parse(given);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
	} catch {
		// refused below
	}
	throw new CommandError("INVALID_METADATA", "--metadata is not a JSON object", {
		fix: `Use the form --metadata '{"plan":"pro"}'.`,
	});
};
