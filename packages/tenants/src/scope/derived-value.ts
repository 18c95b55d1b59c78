import { sha256Text } from "../sha256.ts";
import type { DerivedField } from "./tables.ts";

/** MySQL keeps unique text in varchar(255). */
const LONGEST = 255;

/**
 * What stands in the column beside a field that is unique in its tenant: the tenant and the value, which no other tenant
 * can have. Long ones are shortened to a hash, and so is whatever foreign keys point with: MySQL gives those 36 characters.
 */
export const derivedValue = async (
	{ isReference }: DerivedField,
	tenantId: string,
	value: unknown,
): Promise<string> => {
	const text = `${tenantId}:${value}`;
	if (isReference) return (await sha256Text(text)).slice(0, 36);
	return text.length <= LONGEST ? text : `${tenantId}:#${await sha256Text(text)}`;
};
