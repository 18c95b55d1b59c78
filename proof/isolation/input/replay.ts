import type { WireRequest } from "./send-request.ts";

/** The request as a command, shortened if long. Its seed reproduces the whole request. */
export const asCommand = (origin: string, { method, target, headers, body }: WireRequest): string =>
	[
		`curl -X ${method} ${quote(`${origin}${shorten(target)}`)}`,
		...headers.map(([name, value]) => `-H ${quote(`${name}: ${shorten(value)}`)}`),
		...(body ? [`--data-binary ${quote(shorten(body.toString("utf8")))}`] : []),
	].join(" ");

const shorten = (text: string): string =>
	text.length > 400 ? `${text.slice(0, 300)}…(${text.length} characters)…${text.slice(-50)}` : text;

const quote = (text: string): string => `$'${JSON.stringify(text).slice(1, -1).replaceAll("'", "\\'")}'`;
