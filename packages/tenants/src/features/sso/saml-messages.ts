import type { GenericEndpointContext } from "@better-auth/core";
import { APIError } from "@better-auth/core/error";
import { SSO_ERROR_CODES } from "../../errors/sso-error-codes.ts";

/**
 * Tags, closing ones included. The SSO plugin searches messages with XPath, whose time grows with the square of the elements: 8,000
 * of them, 35 kB, take nine seconds of processor before the signature is checked. A user with 500 groups has about 1,100 tags.
 */
const MOST_TAGS = 2_000;

/** A response and its assertion have one signature each, with one reference. Each reference is hashed before the signature is checked. */
const MOST_REFERENCES = 4;

/**
 * Each transform of a reference reads the whole message again, before the signature is checked: 900 of them, 80 kB, take half a
 * minute of processor. Responses have two, in each of two signatures. Closing tags count as well.
 */
const MOST_TRANSFORMS = 12;

/**
 * Equals signs, of which each attribute and each namespace has one. They take as long as tags. Some identity providers write three
 * attributes for each group.
 */
const MOST_ATTRIBUTES = 4_000;

/** Characters of a message with an encrypted assertion. What is inside is decrypted before its signature is checked, and not counted here. */
const MOST_ENCRYPTED = 32_768;

/** Bytes of a message from a URL, unpacked. The SSO plugin accepts messages of 256 kB. */
const MOST_UNPACKED = 262_144;

const NAMES = ["SAMLResponse", "SAMLRequest"];

/**
 * Rejects SAML messages and metadata that would block the process for every tenant, and responses that name two requests: Better Auth
 * compares the request in the response, which nobody has signed, and not the one in the signed assertion.
 */
export const assertSamlMessages = async ({ body, query }: GenericEndpointContext): Promise<void> => {
	for (const name of NAMES) {
		assertMessage(textOf(body?.[name]));
		assertMessage(await unpacked(query?.[name]));
	}
	const { idpMetadata, spMetadata } = body?.samlConfig ?? {};
	for (const metadata of [idpMetadata?.metadata, spMetadata?.metadata])
		if (typeof metadata === "string") assertSmall(metadata);
};

const assertMessage = (xml: string | null): void => {
	if (xml === null) return;
	assertSmall(xml);
	// anyone can encrypt to the certificate in the metadata
	if (xml.length > MOST_ENCRYPTED && /[<:]Encrypted(?:Assertion|Data)\b/.test(xml)) throw invalid();
	const named = xml.matchAll(/\bInResponseTo\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
	if (new Set([...named].map(([, one, other]) => one ?? other)).size > 1) throw invalid();
};

const assertSmall = (xml: string): void => {
	// with any prefix
	if (hasMore(xml, /</g, MOST_TAGS) || hasMore(xml, /[<:]Reference\b/g, MOST_REFERENCES)) throw invalid();
	if (hasMore(xml, /[<:]Transform\b/g, MOST_TRANSFORMS) || hasMore(xml, /=/g, MOST_ATTRIBUTES)) throw invalid();
};

const hasMore = (text: string, pattern: RegExp, most: number): boolean => {
	let found = 0;
	for (const _ of text.matchAll(pattern)) if (++found > most) return true;
	return false;
};

/** The text of a posted message. */
const textOf = (message: unknown): string | null => {
	const bytes = bytesOf(message);
	return bytes && new TextDecoder().decode(bytes);
};

/** The text of a message in a URL, which is compressed. What follows it is an error here, and would be ignored by others. */
const unpacked = async (message: unknown): Promise<string | null> => {
	const bytes = bytesOf(message);
	if (!bytes) return null;
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	try {
		for await (const chunk of new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"))) {
			size += chunk.byteLength;
			if (size > MOST_UNPACKED) break;
			chunks.push(chunk);
		}
	} catch {
		throw invalid();
	}
	if (size > MOST_UNPACKED) throw invalid();
	return new Blob(chunks).text();
};

/** Null if there is no message. Strict: a decoder that skips characters would read a message that was not checked. */
const bytesOf = (message: unknown): Uint8Array<ArrayBuffer> | null => {
	if (typeof message !== "string") return null;
	try {
		return Uint8Array.from(atob(message), (one) => one.charCodeAt(0));
	} catch {
		throw invalid();
	}
};

const invalid = () => APIError.from("BAD_REQUEST", SSO_ERROR_CODES.INVALID_SAML_MESSAGE);
