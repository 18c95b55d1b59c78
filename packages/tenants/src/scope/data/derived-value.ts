import { sha256Text } from "../../lib/sha256.ts";
import type { DerivedField } from "./tables.ts";

/** MySQL stores unique text in varchar(255). */
const LONGEST = 255;

/**
 * The value of the derived column of a field that is unique per tenant: the tenant id and the field's value. Long values
 * are replaced by a hash, and so are values of foreign keys, for which MySQL has 36 characters.
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
