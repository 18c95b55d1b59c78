import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { hostileText } from "./hostile-values.ts";

/** Bytes are stored as text: UTF-8, or latin1 if they are not valid UTF-8. */
export type SentBody = { text: string; encoding: "utf8" | "latin1"; contentType: string };

/** As encoded in bytes: lone surrogates become U+FFFD. */
export const wellFormed = (text: string): string => Buffer.from(text, "utf8").toString("utf8");

const JSON_TYPE = "application/json";
const utf8 = (text: string, contentType = JSON_TYPE): SentBody => ({ text, encoding: "utf8", contentType });
const latin1 = (text: string, contentType = JSON_TYPE): SentBody => ({ text, encoding: "latin1", contentType });

const gzipped = gzipSync('{"email":"ada@example.com"}').toString("latin1");
const login = '{"email":"ada@example.com","password":"x","tenantId":"x"}';

const BODIES: SentBody[] = [
	// JSON that is not an object, or invalid JSON
	...["", "null", "true", "1", '"x"', "[]", "[{}]", "{", "}", '{"a"', '{"a":', '{"a":1', "{'a':1}", "{a:1}", "NaN"].map(
		(text) => utf8(text),
	),
	...[
		'{"a":1}{"b":2}',
		'{"a":1}\n',
		"\ufeff{}",
		'{"a":"\u0000"}',
		'{"a":"\\u0000"}',
		'{"a":"\\ud800"}',
		"//x\n{}",
		"{}x",
	].map((text) => utf8(text)),
	utf8("[".repeat(10_000)),
	utf8("[".repeat(10_000) + "]".repeat(10_000)),
	utf8(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`),
	utf8(`{${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join(",")}}`),
	utf8(`{"__proto__":{"tenantId":"x"},"email":"ada@example.com","email":"bob@example.com","password":"x"}`),
	// bytes that are not UTF-8
	...[
		'{"email":"\xff\xfe@example.com"}',
		'{"name":"\xc0\x80"}',
		'{"name":"\xed\xa0\x80"}',
		"\xff\xfe{\0}\0",
		"\x80",
	].map((text) => latin1(text)),
	latin1(gzipped),
	// a wrong content type
	...[
		"text/plain",
		"text/html",
		"application/xml",
		"application/x-www-form-urlencoded",
		"multipart/form-data",
		"*/*",
		"x",
	].map((type) => utf8(login, type)),
	...[
		"application/octet-stream",
		"image/png",
		"application/pdf",
		"application/stream",
		"application/jsonp",
		"APPLICATION/JSON",
	].map((type) => utf8(login, type)),
	...[
		"application/json; charset=utf-16",
		"application/json; charset=x",
		"application/json;",
		"application/vnd.api+json",
	].map((type) => utf8(login, type)),
	...[
		"application/json, text/plain",
		"application/json/x",
		"text/plain;application/json",
		";application/json",
		"json",
	].map((type) => utf8(login, type)),
	...[
		"multipart/form-data; application/json",
		"multipart/form-data application/json",
		"x-application/json; boundary=x",
	].map((type) => utf8(login, type)),
	// forms
	...[
		"a=1&a=2&__proto__=x&__proto__[a]=b&constructor[prototype][polluted]=1",
		"%",
		"%zz=%",
		"=&=&&",
		"email[]=a&email[]=b",
		"a".repeat(100_000),
	].map((text) => utf8(text, "application/x-www-form-urlencoded")),
	latin1("email=\xff\xfe&password=%ff%fe", "application/x-www-form-urlencoded; charset=utf-16"),
	...[
		"--b\r\n",
		'--b\r\ncontent-disposition: form-data; name="email"\r\n\r\nx\r\n--b--\r\n',
		"--b--",
		"--b\r\n\r\n",
		"x",
	].map((text) => utf8(text, "multipart/form-data; boundary=b")),
	utf8(
		'--b\r\ncontent-disposition: form-data; name="email"; filename="x"\r\n\r\nx\r\n--b--\r\n',
		"multipart/form-data; boundary=b",
	),
	utf8('<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>', "application/xml"),
];

/** Bodies that are invalid for any endpoint. */
export const wholeBody: fc.Arbitrary<SentBody> = fc.oneof(
	{ weight: 8, arbitrary: fc.constantFrom(...BODIES) },
	{ weight: 1, arbitrary: hostileText.map((text) => utf8(wellFormed(text))) },
	{
		weight: 1,
		arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => latin1(Buffer.from(bytes).toString("latin1"))),
	},
);
