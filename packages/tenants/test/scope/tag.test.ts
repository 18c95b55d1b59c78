import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isTenantId } from "../../src/resolve/tenant-id.ts";
import { storageKey } from "../../src/scope/data/storage.ts";
import { PLATFORM } from "../../src/scope/pin/platform.ts";
import { readTag, withTag } from "../../src/scope/pin/tag.ts";

const tenantId = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/).filter((id) => id !== PLATFORM);
/** The last character of its tag has unused bits. A length that is a multiple of three has none. */
const ambiguousId = tenantId.filter((id) => id.length % 3 !== 0);
const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const random = fc.stringMatching(/^[A-Za-z0-9]{1,40}$/);

describe("a tag", () => {
	it("reads back as written", () => {
		fc.assert(
			fc.property(random, tenantId, (value, id) => {
				expect(readTag(withTag(value, id))).toEqual({ value, tenantId: id });
			}),
		);
	});

	it("names its tenant without a value, too", () => {
		for (const id of ["acme", "globex"]) expect(readTag(withTag("", id))).toEqual({ value: "", tenantId: id });
	});

	it("has one spelling: no other text reads as the same tenant", () => {
		fc.assert(
			fc.property(random, tenantId, fc.string({ maxLength: 80 }), (value, id, other) => {
				const read = readTag(`${value}~${other}`);
				if (read) expect(withTag(read.value, read.tenantId)).toBe(`${value}~${other}`);
				if (read?.tenantId === id) expect(`${value}~${other}`).toBe(withTag(value, id));
			}),
		);
	});

	// threat 30
	it("has one spelling: rejects unused bits and padding", () => {
		fc.assert(
			fc.property(random, ambiguousId, (value, id) => {
				const tagged = withTag(value, id);
				const [stem, last] = [tagged.slice(0, -1), tagged.slice(-1)];
				const first = BASE64URL.indexOf(last);
				for (const other of BASE64URL.slice(first + 1, first + (id.length % 3 === 1 ? 16 : 4))) {
					const respelled = `${stem}${other}`;
					expect(Buffer.from(respelled.slice(value.length + 1), "base64url").toString()).toBe(id);
					expect(readTag(respelled)).toBeNull();
				}
				expect(readTag(`${tagged}=`)).toBeNull();
				expect(readTag(`${tagged}==`)).toBeNull();
			}),
		);
	});

	it("is never the platform's, and always a tenant id", () => {
		fc.assert(
			fc.property(fc.string(), (text) => {
				const read = readTag(text);
				if (text.includes("~") && read) expect(isTenantId(read.tenantId) && read.tenantId !== PLATFORM).toBe(true);
				if (!text.includes("~")) expect(read).toEqual({ value: text, tenantId: PLATFORM });
			}),
		);
		expect(readTag(`x~${btoa(PLATFORM)}`)).toBeNull();
	});
});

describe("a storage key", () => {
	it("is one tenant's and one key's only", () => {
		fc.assert(
			fc.property(
				fc.constantFrom(PLATFORM, "a", "b", "platform-2"),
				fc.constantFrom(PLATFORM, "a", "b", "platform-2"),
				fc.string(),
				fc.string(),
				(one, other, key, another) => {
					if (one !== other || key !== another) expect(storageKey(one, key)).not.toBe(storageKey(other, another));
				},
			),
		);
		expect(storageKey(PLATFORM, "tenant:a:x")).not.toBe(storageKey("a", "x"));
	});
});
