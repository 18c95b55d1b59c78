import { APIError } from "@better-auth/core/error";
import { TENANT_AUTH_ERROR_CODES } from "../../errors/error-codes.ts";

/** Fields with the URL of a picture, which applications show to other users. */
const PICTURES: Readonly<Record<string, string>> = { user: "image", organization: "logo" };

/** Schemes that run something. Browsers ignore spaces and control characters before and inside of a scheme. */
const RUNS = /^(?:javascript:|vbscript:|data:(?!image\/))/i;

/** Throws if a picture is a URL that runs a script where an application links to it. */
export const assertPicture = (key: string, field: string, value: unknown): void => {
	if (PICTURES[key] !== field || typeof value !== "string") return;
	if (RUNS.test(withoutBlanks(value.slice(0, 256))))
		throw APIError.from("BAD_REQUEST", TENANT_AUTH_ERROR_CODES.INVALID_VALUE);
};

const withoutBlanks = (text: string): string => [...text].filter((one) => one > " " && one !== "\u007f").join("");
