/**
 * The engine reserves a name once (a SAML assertion, a jti) by making a verification row whose primary key is the hash
 * of that name. Primary keys are global, so without the tenant in the hash one tenant could take another's names.
 * Other ids are random and pass through.
 */
export const namedRowId = async <Value>(table: string, tenantId: string, id: Value): Promise<Value | string> => {
	if (table !== "verification" || typeof id !== "string" || id.length !== 43 || id.startsWith(".")) return id;
	const bytes = new TextEncoder().encode(`${tenantId}\0${id}`);
	const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
	const text = btoa(String.fromCharCode(...hash))
		.replace(/\+/g, "-")
		.replace(/\//g, "_");
	// the dot marks an id that has been through here; base64url has none
	return `.${text.slice(0, 42)}`;
};
