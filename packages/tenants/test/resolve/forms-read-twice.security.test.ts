import { describe, expect, it } from "vitest";
import { guardContentType } from "../../src/plugin/on-request.ts";
import { parseSentBody } from "../../src/resolve/sent-body.ts";

/** As the engine's router parses a form (better-call, getBody). */
const engineReads = async (request: Request): Promise<Record<string, string>> => {
	const read: Record<string, string> = {};
	for (const [name, value] of await request.formData()) read[name] = String(value);
	return read;
};

const FORM = "application/x-www-form-urlencoded";
const BOTH = `${FORM};a=b, multipart/form-data; boundary=b`;
const part = (name: string, value: string) =>
	`--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

const requestOf = (type: string, body: string) =>
	new Request("http://a/api/auth/sign-in/email", { method: "POST", headers: { "content-type": type }, body });

// threat 78
describe("a form that is parsed ahead", () => {
	it.each([
		["begins with a byte order mark", FORM, "\uFEFFtenantId=victim&email=e%40x.test"],
		["is of two types, as a list", BOTH, `${part("x", "&tenantId=victim&")}${part("tenantId", "evil")}--b--\r\n`],
	])("names the tenant that Better Auth will read, if it %s", async (_, type, body) => {
		const request = requestOf(type, body);
		// rejected forms are parsed by neither
		if (guardContentType(request)) return;
		const ahead = parseSentBody(request.headers, new TextEncoder().encode(body));
		const read = await engineReads(request);
		if (ahead) expect((ahead.body as { tenantId?: string }).tenantId).toBe(read.tenantId);
	});

	it.each([BOTH, `${FORM};, text/plain`, `${FORM};a, application/json`])(
		"is rejected, or parsed by Better Auth: %s",
		async (type) => {
			const request = requestOf(type, "tenantId=evil");
			if (guardContentType(request)) return;
			// the engine returns 500 and logs the stack
			await expect(engineReads(request)).resolves.toBeTypeOf("object");
		},
	);
});
