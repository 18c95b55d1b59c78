import * as z from "zod";
import { ApiError, CommandError } from "./command-error.ts";
import { fixFor } from "./fixes.ts";
import type { HttpAnswer } from "./http-request.ts";

type Asked = { baseURL: string; path: string; isRepeated: boolean };

/** Turns an error response into an error, with the API's code and message if it has them. */
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
				fix: "Pass the final address with --url. The key is never sent along a redirect.",
			},
		);
	if (status === 429)
		return new ApiError(status, "TOO_MANY_REQUESTS", message ?? "Too many requests", {
			fix: fixFor("TOO_MANY_REQUESTS"),
		});
	// errors from in front of the engine have a code and a request id, but no message
	if (status === 404 && !message)
		return new ApiError(status, "ENDPOINT_NOT_FOUND", `${baseURL} has no endpoint ${path}`, {
			fix: "Check the address. --url includes the base path, such as https://auth.example.com/api/auth.",
		});
	if (code)
		return new ApiError(status, code, message ?? `The server returned ${status}`, {
			fix: fixFor(code) ?? (requestId ? `Find request ${requestId} in the server's log.` : undefined),
		});
	return new ApiError(
		status,
		"UNEXPECTED_ANSWER",
		`${baseURL} returned ${status} with a response that is not from the API`,
		{
			fix: "Check proxies in between, and the server's log.",
		},
	);
};

/** Describes a failed connection, with the address and how to fix it. */
export const connectionFailure = (error: unknown, baseURL: string): CommandError => {
	const code = codeOf(error);
	const { host, hostname } = new URL(baseURL);
	const [says, fix] = explain(code, host, hostname);
	return new CommandError(code === "ABORT_ERR" ? "TIMEOUT" : code, says, { fix, cause: error });
};

const explain = (code: string, host: string, hostname: string): [says: string, fix: string] => {
	if (code === "ECONNREFUSED")
		return [
			`Nothing is listening at ${host}`,
			"Start the server with `tenants serve`, or pass its address with --url.",
		];
	if (code === "ENOTFOUND" || code === "EAI_AGAIN")
		return [`The host ${hostname} could not be resolved`, "Check the address in --url or AUTH_URL, and your DNS."];
	if (code === "ABORT_ERR" || code === "ETIMEDOUT")
		return [`${host} did not answer in time`, "Check the server with `tenants doctor` and its /readyz endpoint."];
	if (code === "EPROTO") return [`${host} does not speak TLS`, "Use http in --url, or the https port."];
	if (/CERT|SIGNATURE|ALTNAME/.test(code))
		return [
			`The certificate of ${host} is not trusted`,
			"Set NODE_EXTRA_CA_CERTS to your CA's file, or fix the certificate.",
		];
	return [`The connection to ${host} was lost`, "Try again. Imports continue where they stopped."];
};

/** Node reports the failures of all addresses of a host in one AggregateError. */
const codeOf = (error: unknown): string => {
	if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
	if (error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError")) return "ABORT_ERR";
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "CONNECTION_FAILED";
};

const texts = z.object({
	code: z.string().optional(),
	message: z.string().optional(),
	// shown in a message, so only a well-formed id is accepted
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
