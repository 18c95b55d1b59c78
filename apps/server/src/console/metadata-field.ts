import { APIError } from "better-auth/api";
import { TENANT_AUTH_ERROR_CODES } from "better-auth-tenants";
import type { Pool, PoolClient } from "pg";

/** The limit of `/tenant/update`, which must be able to write the metadata again. */
const MOST_BYTES = 16_384;

/**
 * Writes one field of an open tenant's metadata, and leaves the others as they are. The row is locked meanwhile, so a change
 * of another field at the same time is not lost. Null removes the field. Returns false if there is no such tenant.
 */
export const writeMetadataField = async (
	pool: Pool,
	tenantId: string,
	field: string,
	value: unknown,
): Promise<boolean> => {
	const client = await pool.connect();
	try {
		await client.query("begin");
		const isWritten = await write(client, tenantId, field, value);
		await client.query("commit");
		client.release();
		return isWritten;
	} catch (error) {
		// a connection whose transaction cannot be ended is not used again
		const isEnded = await client.query("rollback").then(
			() => true,
			() => false,
		);
		client.release(!isEnded);
		throw error;
	}
};

const write = async (client: PoolClient, tenantId: string, field: string, value: unknown): Promise<boolean> => {
	const { rows } = await client.query<{ metadata: string | null }>(
		`select "metadata" from "tenant" where "id" = $1 and "status" = 'active' for no key update`,
		[tenantId],
	);
	const [stored] = rows;
	if (!stored) return false;
	const { [field]: _replaced, ...others } = JSON.parse(stored.metadata ?? "{}") as Record<string, unknown>;
	const metadata = value === null ? others : { ...others, [field]: value };
	const text = JSON.stringify(metadata);
	if (Buffer.byteLength(text) > MOST_BYTES)
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_METADATA);
	const isEmpty = Object.keys(metadata).length === 0;
	await client.query(`update "tenant" set "metadata" = $2, "updatedAt" = $3 where "id" = $1`, [
		tenantId,
		isEmpty ? null : text,
		new Date(),
	]);
	return true;
};
