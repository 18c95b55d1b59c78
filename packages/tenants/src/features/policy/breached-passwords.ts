/** Bounds a response. A range of the public service has about 2,000 lines of 40 characters. */
const MAX_CHARACTERS = 1_000_000;
const PREFIX = 5;

export type BreachCheck = { url: string; timeout: number };

/**
 * Whether a password is known from a data breach. Sends the first five characters of its SHA-1 digest to the server, which
 * returns all known digests that start with them (k-anonymity). So the server does not learn the password. Throws if the
 * server does not answer.
 */
export const isBreached = async (password: string, { url, timeout }: BreachCheck): Promise<boolean> => {
	const digest = await sha1(password);
	const response = await fetch(`${url}${digest.slice(0, PREFIX)}`, {
		// lines with a count of 0 hide how many digests there are from whoever sees the size of the response
		headers: { "add-padding": "true" },
		redirect: "error",
		signal: AbortSignal.timeout(timeout * 1000),
	});
	if (!response.ok) throw new Error(`the server returned ${response.status}`);
	const text = await response.text();
	if (text.length > MAX_CHARACTERS) throw new Error("the server returned too much");
	const lines = text.split("\n").map((line) => line.trim());
	if (!lines.every((line) => line === "" || LINE.test(line))) throw new Error("the server did not return digests");
	return lines.some((line) => {
		const [suffix, count] = line.split(":");
		return suffix?.toUpperCase() === digest.slice(PREFIX) && Number(count) > 0;
	});
};

const LINE = /^[0-9a-f]{35}:\d+$/i;

const sha1 = async (text: string): Promise<string> =>
	[...new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text)))]
		.map((byte) => byte.toString(16).padStart(2, "0"))
		.join("")
		.toUpperCase();
