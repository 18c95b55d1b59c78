/**
 * Whether a form was sent by one of our own pages on the same host. Browsers send Origin with every POST, so a form on
 * another site cannot sign its visitors in, out or up here. Better Auth checks requests with cookies only.
 */
export const isSameOrigin = (headers: Headers, ownOrigin: string): boolean => {
	const site = headers.get("sec-fetch-site");
	return headers.get("origin") === ownOrigin && (site === null || site === "same-origin");
};
