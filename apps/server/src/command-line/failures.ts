import * as z from "zod";
import { ApiError, CommandError } from "./command-error.ts";
import type { HttpAnswer } from "./http-request.ts";
import { mendFor } from "./mends.ts";

type Asked = { baseURL: string; path: string; isRepeated: boolean };

/** An answer that is no success, as an error: the API's own code and sentence where it gave them. */
export const refusalOf = (answer: HttpAnswer, { isRepeated, ...asked }: Asked): ApiError =>
	Object.assign(readRefusal(answer, asked), { isRepeated });

const readRefusal = ({ status, headers, text }: HttpAnswer, { baseURL, path }: Omit<Asked, "isRepeated">): ApiError => {
	const { code, message, requestId } = readBody(text);
	if (status >= 300 && status < 400)
		return new ApiError(
			status,
			"REDIRECTED",
			`${baseURL} redirects to ${URL.parse(headers.location ?? "", baseURL)?.origin ?? "somewhere"}`,
			{
				mend: "Give the address itself with --url: no key is sent along a redirect.",
			},
		);
	if (status === 429)
		return new ApiError(status, "TOO_MANY_REQUESTS", message ?? "Too many requests", {
			mend: mendFor("TOO_MANY_REQUESTS"),
		});
	// what is refused in front of the engine has a code, the request's id, and no sentence
	if (status === 404 && !message)
		return new ApiError(status, "ENDPOINT_NOT_FOUND", `There is no ${path} at ${baseURL}`, {
			mend: "Check the address: --url takes it with the base path, such as https://auth.example.com/api/auth.",
		});
	if (code)
		return new ApiError(status, code, message ?? `The server answered ${status}`, {
			mend: mendFor(code) ?? (requestId ? `Look for the request ${requestId} in the server's log.` : undefined),
		});
	return new ApiError(status, "UNEXPECTED_ANSWER", `${baseURL} answered ${status}, and not in the words of the API`, {
		mend: "See what stands between, such as a proxy, and the server's log.",
	});
};

/** No answer at all: what the network said, with the address and the mend. */
export const connectionFailure = (error: unknown, baseURL: string): CommandError => {
	const code = codeOf(error);
	const { host, hostname } = new URL(baseURL);
	const [says, mend] = explain(code, host, hostname);
	return new CommandError(code === "ABORT_ERR" ? "TIMEOUT" : code, says, { mend, cause: error });
};

const explain = (code: string, host: string, hostname: string): [says: string, mend: string] => {
	if (code === "ECONNREFUSED")
		return [`Nothing listens at ${host}`, "Start the server with `tenants serve`, or give its address with --url."];
	if (code === "ENOTFOUND" || code === "EAI_AGAIN")
		return [`The host ${hostname} is not known here`, "Check the address in --url or AUTH_URL, and the name server."];
	if (code === "ABORT_ERR" || code === "ETIMEDOUT")
		return [`${host} did not answer in time`, "See whether the server is well: `tenants doctor`, and its /readyz."];
	if (code === "EPROTO") return [`${host} does not speak TLS`, "Give --url with http, or the port of https."];
	if (/CERT|SIGNATURE|ALTNAME/.test(code))
		return [
			`The certificate of ${host} is not trusted`,
			"Name the file of your own authority in NODE_EXTRA_CA_CERTS, or mend the certificate.",
		];
	return [`The connection to ${host} broke`, "Try again; imports go on where they stopped."];
};

/** Failures of all addresses of a host come together. */
const codeOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
	if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) return "ABORT_ERR";
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "CONNECTION_FAILED";
};

const texts = z.object({
	code: z.string().optional(),
	message: z.string().optional(),
	// part of a sentence of ours, so nothing but an id
	requestId: z
		.string()
		.regex(/^[\w.-]{1,100}$/)
		.nullish()
		.catch(null),
});

const readBody = (text: string): z.output<typeof texts> => {
	try {
		return texts.catch({}).parse(JSON.parse(text));
	} catch {
		return {};
	}
};
