import * as fc from "fast-check";
import { REDIRECT_PAYLOADS } from "test-kit/redirect-payloads";
import { placeholder } from "./plausible.ts";
import { TENANT_ID_PAYLOADS, TEXT_PAYLOADS } from "./text-payloads.ts";

export type HostileHeader = [name: string, value: string];

const ph = placeholder;
const SESSION = "better-auth.session_token";
const each = (name: string, values: string[]): HostileHeader[] => values.map((value) => [name, value]);

const HEADERS: HostileHeader[] = [
	// the tenant: joined, doubled (with the intended one), too long, control characters
	...each("x-tenant-id", [...TENANT_ID_PAYLOADS, ph("tenantA"), ph("tenantB"), `${ph("tenantA")}, ${ph("tenantB")}`]),
	...each("X-TENANT-ID", [ph("tenantB"), ` ${ph("tenantA")} `, `${ph("tenantA")},`, `${ph("tenantA")}\u0000`]),
	// cookies: garbage, forged, many, tags that are not canonical
	...each("cookie", [
		"",
		"=",
		";",
		"a",
		"a=b;;;=c",
		`${SESSION}=`,
		`${SESSION}=x`,
		`${SESSION}=x.y`,
		`${SESSION}=%00`,
		`${SESSION}=%`,
	]),
	...each("cookie", [
		`${SESSION}=${ph("tokenA")}`,
		`${SESSION}=${ph("tokenA")}.x`,
		`${SESSION}="${ph("tokenA")}"`,
		`${SESSION}=~.~`,
	]),
	...each("cookie", [
		`${SESSION}=x~Zm9=.sig`,
		`${SESSION}=x~Zm9v.${"A".repeat(43)}%3D`,
		`${SESSION}=x~${"A".repeat(4_000)}.s`,
	]),
	...each("cookie", [
		`${ph("cookieA")}; ${ph("cookieB")}`,
		`${ph("cookieA")}; ${ph("cookieA")}`,
		`__proto__=x; constructor=y; ${ph("cookieA")}`,
	]),
	...each("cookie", [
		"better-auth.session_data=x",
		"better-auth.session_data=e30=",
		"better-auth.session_data=%7B%7D",
		"better-auth.state=x.y",
	]),
	...each("cookie", [
		"better-auth.two_factor=x.y",
		"better-auth.dont_remember=true",
		"better-auth.account_data=x",
		"better-auth.tenant_flow=x.y",
		"better-auth.tenant_sign_up=x.y",
	]),
	["cookie", Array.from({ length: 300 }, (_, index) => `better-auth.session_token_multi-${index}=x.y`).join("; ")],
	["cookie", `a=${"x".repeat(12_000)}`],
	// credentials
	...each("authorization", [
		"",
		"Bearer",
		"Bearer ",
		"Bearer x",
		`Bearer ${ph("tokenA")}`,
		`Bearer ${ph("tokenA")}.x`,
		"Bearer x~Zm9=",
		"Basic eDp5",
	]),
	...each("authorization", [
		"bearer x",
		"Bearer  x",
		"Bearer x y",
		"Bearer null",
		"Bearer %00",
		"Digest x",
		"Bearer eyJhbGciOiJub25lIn0.e30.",
		"\u00ff",
	]),
	...each("authorization", [
		`Bearer ${"x".repeat(8_000)}`,
		`bearer ${ph("key")}`,
		`Bearer ${ph("key")} `,
		`Bearer ${ph("key")}x`,
		`Basic ${ph("key")}`,
	]),
	// origin and proxies
	...each("origin", [
		"null",
		"",
		"https://evil.example",
		`${ph("origin")}.evil.example`,
		`${ph("origin")}/`,
		"http://localhost",
		"x",
		"file://",
		"http://[",
	]),
	...each("referer", ["", "https://evil.example/x", `${ph("origin")}/x`, "x", "http://["]),
	...each("host", [
		"evil.example",
		"localhost",
		"",
		"a b",
		"localhost:99999",
		"[::1",
		"x@y",
		"evil.example/x",
		"127.0.0.1",
		"\u00e9",
	]),
	...each("x-forwarded-host", ["evil.example", "a, b", "", "x@y", "[", "evil.example:99999"]),
	...each("x-forwarded-proto", ["https", "javascript", "https, http", "", "x:y", "ftp", "h ttp"]),
	...each("x-forwarded-for", [
		"1.2.3.4",
		"x",
		"::1",
		"1.2.3.4, 5.6.7.8",
		"' OR 1=1--",
		"999.999.999.999",
		"x".repeat(2_000),
	]),
	...each("sec-fetch-site", ["cross-site", "same-origin", "x"]),
	...each("sec-fetch-mode", ["navigate", "cors"]),
	// the rest of the protocol
	...each("content-encoding", ["gzip", "br", "x"]),
	...each("transfer-encoding", ["chunked", "x", "gzip, chunked"]),
	...each("content-length", ["0", "1", "-1", "x", "99999", "1, 2"]),
	...each("expect", ["100-continue", "x"]),
	...each("upgrade", ["websocket", "h2c"]),
	...each("accept", ["*/*", "text/html", "x", "application/json;q=2"]),
	...each("accept-language", ["x".repeat(3_000)]),
	...each("user-agent", ["", "x".repeat(6_000), "' OR 1=1--", "<script>isolation()</script>", "\u00ff"]),
	...each("x-http-method-override", ["DELETE", "GET"]),
	...each("__proto__", ["x"]),
	...each("constructor", ["x"]),
	...each("bad header", ["x"]),
	...each("x-split", ["a\r\nx-second: b", "a\nb", "a\0b"]),
	...each("x-large", ["x".repeat(20_000)]),
];

/** Mostly none, otherwise one or two. They are added to the intended ones, so that a name may occur twice. */
export const hostileHeaders: fc.Arbitrary<HostileHeader[]> = fc.oneof(
	{ weight: 9, arbitrary: fc.constant<HostileHeader[]>([]) },
	{ weight: 2, arbitrary: fc.array(fc.constantFrom(...HEADERS), { minLength: 1, maxLength: 2 }) },
	{
		weight: 1,
		arbitrary: fc
			.tuple(
				fc.constantFrom("x-tenant-id", "cookie", "authorization", "origin", "referer", "accept", "x-forwarded-for"),
				fc.constantFrom(...TEXT_PAYLOADS, ...REDIRECT_PAYLOADS),
			)
			.map(([name, value]): HostileHeader[] => [[name, value]]),
	},
);
