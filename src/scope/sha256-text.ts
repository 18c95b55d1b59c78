/** SHA-256 in base64url without padding: how the engine and its plugins store what they do not keep in clear. */
export const sha256Text = async (text: string): Promise<string> => {
	const bits = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
	return btoa(String.fromCharCode(...bits))
		.replace(/\+/g, "-")
		.replace(/\//g, "_")
		.replace(/=+$/, "");
};
