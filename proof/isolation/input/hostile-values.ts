import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { EMAIL_PAYLOADS, POLLUTED, SLUG_PAYLOADS, TENANT_ID_PAYLOADS, TEXT_PAYLOADS } from "./text-payloads.ts";

/** JSON as text, including values that no object of this process could contain or print. */
export type JsonText = string;

const nested = (open: string, close: string, levels: number): JsonText =>
	`${open.repeat(levels)}1${close.repeat(levels)}`;

const manyKeys = (count: number): JsonText =>
	`{${Array.from({ length: count }, (_, index) => `"k${index}":${index}`).join(",")}}`;

const long = fc
	.tuple(
		// few are two megabytes, or nothing else would be sent
		fc.oneof(
			{ weight: 9, arbitrary: fc.constantFrom(1, 255, 256, 1_000, 8_192, 65_537) },
			{ weight: 1, arbitrary: fc.constantFrom(300_000, 2_000_000) },
		),
		fc.constantFrom("a", "é", "\u0000", "💥", "%", " ", '"'),
	)
	.map(([length, unit]) => unit.repeat(Math.ceil(length / unit.length)));

/** Incompressible text, because index entries have a size limit. */
const random = fc.tuple(fc.constantFrom(500, 2_800, 6_000), fc.nat()).map(([length, from]) =>
	createHash("shake256", { outputLength: length / 2 })
		.update(String(from))
		.digest("hex"),
);

/** Strings of every kind. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
	{ weight: 12, arbitrary: fc.constantFrom(...TEXT_PAYLOADS) },
	{ weight: 4, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
	{ weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
	{ weight: 2, arbitrary: fc.constantFrom(...REDIRECT_PAYLOADS) },
	{ weight: 1, arbitrary: random },
);

const operators: JsonText[] = [
	...['{"$ne":null}', '{"$gt":""}', '{"$regex":".*"}', '{"$where":"sleep(5000)"}', '{"$in":[null,""]}', '[{"$ne":1}]'],
	...[
		'{"contains":""}',
		'{"operator":"ne","value":"x"}',
		'{"eq":"x"}',
		'{"set":"x"}',
		'{"$type":2}',
		'{"$eq":{"$gt":""}}',
	],
];

const prototypes: JsonText[] = [
	`{"__proto__":{"polluted":"${POLLUTED}"}}`,
	`{"constructor":{"prototype":{"polluted":"${POLLUTED}"}}}`,
	`{"prototype":{"polluted":"${POLLUTED}"}}`,
	`{"a":{"__proto__":{"polluted":"${POLLUTED}"}}}`,
	`[{"__proto__":{"polluted":"${POLLUTED}"}}]`,
	`{"__proto__":null}`,
	`{"__proto__":[]}`,
	`{"toString":"x","valueOf":1,"toJSON":"x","then":"x","hasOwnProperty":1}`,
	`{"length":1000000000}`,
	`{"then":{"then":1}}`,
];

const shapes: JsonText[] = [
	...[
		"null",
		"true",
		"false",
		"0",
		"-1",
		"1e308",
		"1e-320",
		"-0",
		"9007199254740993",
		"123456789012345678901234567890",
	],
	...[
		'""',
		"[]",
		"{}",
		"[null]",
		"[[]]",
		"[[[]]]",
		'["a"]',
		'["a","b"]',
		'{"0":"a","length":1}',
		'[{"a":1},{"a":2}]',
		"[1e999]",
	],
];

/** Rare, because they are large: depth, keys, length. */
const large: fc.Arbitrary<JsonText> = fc.oneof(
	{ weight: 6, arbitrary: long.map((text) => JSON.stringify(text)) },
	{
		weight: 3,
		arbitrary: fc
			.tuple(fc.constantFrom(6, 64, 500, 3_000, 10_000), fc.constantFrom(["[", "]"], ['{"a":', "}"]))
			.map(([levels, [open = "", close = ""]]) => nested(open, close, levels)),
	},
	{ weight: 1, arbitrary: fc.constantFrom(65, 5_000, 100_000).map(manyKeys) },
);

const text = (payloads: string[]): fc.Arbitrary<JsonText> =>
	fc.constantFrom(...payloads).map((payload) => JSON.stringify(payload));

const anything: fc.Arbitrary<JsonText> = fc.oneof(
	{ weight: 10, arbitrary: hostileText.map((value) => JSON.stringify(value)) },
	{ weight: 5, arbitrary: fc.constantFrom(...shapes) },
	{ weight: 3, arbitrary: fc.constantFrom(...operators) },
	{ weight: 3, arbitrary: fc.constantFrom(...prototypes) },
	{ weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
	{ weight: 1, arbitrary: fc.oneof(fc.double(), fc.maxSafeInteger()).map((value) => JSON.stringify(value)) },
	{ weight: 1, arbitrary: large },
);

const redirect = fc.oneof({ weight: 6, arbitrary: text(REDIRECT_PAYLOADS) }, { weight: 1, arbitrary: anything });
const slug = fc.oneof(text(SLUG_PAYLOADS), anything);
const email = fc.oneof(text(EMAIL_PAYLOADS), anything);
const tenantId = fc.oneof(text(TENANT_ID_PAYLOADS), anything);

/** An unexpected value for a field; half of them depend on the field's purpose. */
export const hostileValue = (field: string): fc.Arbitrary<JsonText> => {
	if (/URL$|^redirect|^url$|^logo$|^image$/i.test(field)) return redirect;
	if (/slug/i.test(field)) return slug;
	if (/email/i.test(field)) return email;
	if (/tenant/i.test(field)) return tenantId;
	return anything;
};
