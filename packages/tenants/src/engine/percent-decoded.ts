/** Cookies and bearer tokens come percent-encoded or not; what cannot be decoded is meant as it stands. */
export const percentDecoded = (value: string): string => {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
};
