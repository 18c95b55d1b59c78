/** Decodes a cookie or bearer token that may be percent-encoded. Returns it unchanged if it cannot be decoded. */
export const percentDecoded = (value: string): string => {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
};
