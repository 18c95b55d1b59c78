import { EVIL_HOST } from "test-kit/redirect-payloads";

/** The value that a polluted prototype would add to objects. */
export const POLLUTED = "isolation-polluted";
/** A header that only a split response can contain. */
export const INJECTED_HEADER = "x-injected";
/** Markup that must not appear unescaped in a page. */
export const MARKUP = "<script>isolation()</script>";

/** Strings that have broken parsers, databases, templates and logs. */
export const TEXT_PAYLOADS: string[] = [
	...["", " ", "\t", "\n", "\r\n", "0", "-1", "null", "undefined", "NaN", "true", "[object Object]", "{}", "[]"],
	// NUL, controls, byte order marks, lone surrogates, non-characters
	...[
		"\0",
		"a\0b",
		"ada\0@example.com",
		"\u0001\u001f\u007f\u0080",
		"\ufeffx",
		"\ud800",
		"\udfff",
		"x\udc00y",
		"\uffff",
	],
	...["\u{10ffff}", "\u200b", "\u200d", "\u2028\u2029", "\u0085", "a\u0300".repeat(200)],
	// right to left, look-alikes, and one word in four normal forms
	...[
		"\u202egnp.exe",
		"\u2066x\u2069",
		"\u05d0\u05d1",
		"раураl",
		"аdmin",
		"ﬁ",
		"é",
		"e\u0301",
		"Å",
		"A\u030a",
		"ſ",
		"İ",
		"ı",
		"K",
	],
	...["ǆ", "ß", "ẞ", "①", "㎏", "ﷺ", "👩‍👩‍👧‍👦", "Z̸̢a̶l̴g̷o̸".repeat(20)],
	// SQL
	...[
		"' OR 1=1--",
		'\'; DROP TABLE "user";--',
		'" OR ""="',
		"1; select pg_sleep(10)",
		"\\'; --",
		"%' ESCAPE '",
		"$1",
		"::int",
	],
	...["') UNION SELECT null--", "admin'/*", "%", "_", "\\", "\\x00", "0x27", "E'\\\\x'"],
	// templates, shells, formats, markup
	...["\u0024{7*7}", "{{7*7}}", "<%= 7*7 %>", "$(id)", "`id`", "%s%n%x", "%00", "%0d%0a", "%c0%ae", "%ff", "%"],
	...[MARKUP, `"><img src=x onerror=isolation()>`, "<!--", "]]>", "&amp;", `';isolation();//`],
	// paths
	...[
		"../../../../etc/passwd",
		"..\\..\\windows",
		"/etc/passwd",
		"file:///etc/passwd",
		"....//",
		"C:\\",
		"\\\\host\\share",
	],
	// headers
	...[`x\r\n${INJECTED_HEADER}: 1`, `x\n${INJECTED_HEADER}: 1`, `x\r\nset-cookie: injected=1`, "x\u0000y"],
	// names of prototypes and methods
	...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "toJSON", "then", "length"],
	// invalid numbers and dates
	...[
		"1e400",
		"-0",
		"9007199254740993",
		"99999999999999999999999",
		"0x10",
		"1_000",
		"٣",
		"+275760-09-13T00:00:00.001Z",
	],
	...["0000-00-00", "2025-13-45T99:99:99Z", "Infinity", "-Infinity"],
	// almost valid tokens
	...[
		"a~",
		"~",
		"~~",
		"x~Zm9v",
		"x~Zm9=",
		"x~Zm9v~Zm9v",
		"x~%00",
		".",
		"a.b",
		"a.b.c",
		"a.b.c.d",
		"$ba$1$00",
		"$ba$99$x",
	],
	...["eyJhbGciOiJub25lIn0.eyJlbWFpbCI6ImFAYi5jIn0.", "eyJhbGciOiJIUzI1NiJ9.e30.x", "=".repeat(64), "A".repeat(32)],
	`https://${EVIL_HOST}`,
];

/** Email addresses that are invalid, or that two systems read differently. */
export const EMAIL_PAYLOADS: string[] = [
	...["ada", "@", "a@b", "a@b.c", "ada@example.com\n", " ada@example.com ", "ada@exa mple.com", "ada@@example.com"],
	...[
		'"ada"@example.com',
		"ada+tag@example.com",
		"ADA@EXAMPLE.COM",
		"ada@example.com.",
		"ada.@example.com",
		"ada@[127.0.0.1]",
	],
	...["ada@example.com,bob@example.com", "ada@example.com;bob@example.com", "ada@example.com\r\nbcc: x@example.com"],
	...[
		"аda@example.com",
		"ada@еxample.com",
		"ada@xn--e1aybc.example",
		"a\u0301da@example.com",
		"ⓐda@example.com",
		"ada@example。com",
	],
	...[
		`${"a".repeat(64)}@example.com`,
		`${"a".repeat(400)}@example.com`,
		`a@${"b.".repeat(200)}com`,
		"ada\0@example.com",
	],
	...["ada@example.com'--", "'or'1'='1@example.com", "ada%00@example.com", "ada@example.com%0a", "<ada@example.com>"],
];

export const SLUG_PAYLOADS: string[] = [
	...[
		"a",
		"-a",
		"a-",
		"a--b",
		"xn--80ak6aa92e",
		"API",
		"Admin",
		"admin",
		"аdmin",
		"ad\u0131n",
		"ADMIN\u0000",
		"..",
		".",
	],
	...[
		"%2e",
		"a/b",
		"a\\b",
		"a b",
		"a_b",
		"a.b",
		"a".repeat(63),
		"a".repeat(64),
		"a".repeat(100_000),
		"ﬁn",
		"ａｂ",
		"①②",
		"é",
	],
	...[
		"con",
		"nul",
		"www",
		"a\n",
		"\na",
		"a\r",
		"__proto__",
		"constructor",
		"null",
		"undefined",
		"0",
		"00",
		"-",
		"--",
		"💥",
		"ß",
	],
];

export const TENANT_ID_PAYLOADS: string[] = [
	...[
		"",
		" ",
		"*",
		"%",
		"_",
		".",
		"..",
		"../x",
		"a,b",
		"a, b",
		"a;b",
		"a b",
		"a:b",
		"a~b",
		"a/b",
		"platform",
		"PLATFORM",
	],
	...["x".repeat(64), "x".repeat(65), "x".repeat(5_000), "null", "undefined", "0", "-1", "__proto__", "constructor"],
	...[
		"' OR 1=1--",
		"a'b",
		'a"b',
		"\u0000",
		"a\tb",
		"é",
		"\u00ff",
		"00000000-0000-0000-0000-000000000000",
		"[object Object]",
	],
];
