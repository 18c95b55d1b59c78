import * as fc from "fast-check";
import type { EndpointDescription } from "../app/describe-endpoints.ts";
import { type HostileHeader, hostileHeaders } from "./hostile-headers.ts";
import { hostileText, hostileValue, type JsonText } from "./hostile-values.ts";
import { ENDS_THINGS, placeholder, plausibleValue, UNDECLARED_FIELDS } from "./plausible.ts";
import { type SentBody, wellFormed, wholeBody } from "./whole-bodies.ts";

/** A generated request. Its placeholders are filled in when it is sent. */
export type GeneratedRequest = {
	/** the intended endpoint, regardless of the path */
	endpoint: string;
	method: string;
	/** path and query, as sent */
	target: string;
	headers: HostileHeader[];
	body: SentBody | null;
};

type Field = [name: string, value: JsonText];

const CALLERS = ["nobody", "A", "A", "adminA", "adminA", "B", "platform"];
const EXPENDABLE_CALLERS = ["nobody", "Victim", "Victim", "platform"];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "PROPFIND", "get", "POSTX"];
const BASE_PATH = "/api/auth";

/** Requests to all endpoints: mostly valid, with one to three wrong parts. */
export const generatedRequests = (endpoints: EndpointDescription[]): fc.Arbitrary<GeneratedRequest> => {
	const requests = endpoints.map((endpoint) => ({ isOurs: isOurs(endpoint), request: requestTo(endpoint) }));
	const all = fc.oneof(...requests.map(({ request }) => request));
	const own = fc.oneof(...requests.filter((one) => one.isOurs).map(({ request }) => request));
	return fc.oneof({ weight: 2, arbitrary: own }, { weight: 3, arbitrary: all });
};

const isOurs = ({ path }: EndpointDescription): boolean => path.startsWith("/tenant/");

/** A valid call of these signs the caller out or deletes them. An admin who ends others' sessions stays. */
const endsCaller = (path: string): boolean => ENDS_THINGS.test(path) && !path.startsWith("/admin/");

const requestTo = (endpoint: EndpointDescription): fc.Arbitrary<GeneratedRequest> =>
	fc
		.record({
			method: fc.oneof(
				{ weight: 15, arbitrary: fc.constantFrom(...endpoint.methods) },
				{ weight: 1, arbitrary: fc.constantFrom(...METHODS) },
			),
			path: pathOf(endpoint.path),
			// an endpoint without a query mostly gets none
			query: fc.oneof(
				{ weight: endpoint.query.length > 0 ? 99 : 1, arbitrary: fields(endpoint.path, endpoint.query) },
				{ weight: 6, arbitrary: fc.constant<Field[]>([]) },
			),
			hint: fc.constantFrom("none", "none", "header", "header", "query", "body"),
			hinted: fc.constantFrom("tenantA", "tenantA", "tenantA", "tenantB"),
			body: fc.oneof(
				{
					weight: 12,
					arbitrary: fields(endpoint.path, endpoint.body).map((given) => ({ fields: given, whole: null })),
				},
				{ weight: 1, arbitrary: wholeBody.map((whole) => ({ fields: [], whole })) },
			),
			form: endpoint.form ? fc.constantFrom(true, false, false) : fc.constant(false),
			caller: fc.constantFrom(...(endsCaller(endpoint.path) ? EXPENDABLE_CALLERS : CALLERS)),
			// the management key mostly on the plugin's endpoints, elsewhere occasionally
			withKey: isOurs(endpoint)
				? fc.constantFrom(true, true, false)
				: fc.constantFrom(true, ...Array<boolean>(15).fill(false)),
			headers: hostileHeaders,
		})
		.map(({ method, path, query, hint, hinted, body, form, caller, withKey, headers }) => {
			const hintField: Field = ["tenantId", JSON.stringify(placeholder(hinted))];
			const inQuery = hint === "query" ? [...query, hintField] : query;
			const inBody = hint === "body" ? [...body.fields, hintField] : body.fields;
			const sent = body.whole ?? (form ? formBody(inBody) : jsonBody(inBody));
			const hasBody = method.toUpperCase() !== "GET" && method !== "HEAD";
			return {
				endpoint: `${endpoint.methods.join(",")} ${endpoint.path}`,
				method,
				target: `${path}${queryText(inQuery)}`,
				headers: [
					["origin", placeholder("origin")],
					...(hasBody ? [["content-type", sent.contentType] satisfies HostileHeader] : []),
					...(caller === "nobody" ? [] : [["cookie", placeholder(`cookie${caller}`)] satisfies HostileHeader]),
					...(withKey ? [["authorization", `Bearer ${placeholder("key")}`] satisfies HostileHeader] : []),
					...(hint === "header" ? [["x-tenant-id", placeholder(hinted)] satisfies HostileHeader] : []),
					...headers,
				],
				body: hasBody ? sent : null,
			};
		});

/** The endpoint's fields with plausible values, some omitted, and up to three of them (or unknown ones) hostile. */
const fields = (path: string, declared: string[]): fc.Arbitrary<Field[]> => {
	const names = declared.length > 0 ? declared : UNDECLARED_FIELDS;
	const strange = fc.constantFrom(
		"__proto__",
		"constructor",
		"prototype",
		"tenantId",
		"$where",
		"id",
		"toString",
		"a[b]",
		"",
	);
	const hostile = fc.oneof(
		...names.map((name) => ({ weight: 6, arbitrary: fc.tuple(fc.constant(name), hostileValue(name)) })),
		{ weight: names.length, arbitrary: fc.tuple(strange, hostileValue("")) },
	);
	return fc
		.tuple(
			fc.array(fc.nat(99), { minLength: names.length, maxLength: names.length }),
			fc.oneof(
				{ weight: 2, arbitrary: fc.constant<Field[]>([]) },
				{ weight: 6, arbitrary: fc.tuple(hostile) },
				{ weight: 3, arbitrary: fc.array(hostile, { minLength: 2, maxLength: 3 }) },
			),
			fc.nat(9),
		)
		.map(([choices, wrong, doubled]) => {
			const replaced = new Set(doubled === 0 ? [] : wrong.map(([name]) => name));
			const meant = names.flatMap((name, at): Field[] => {
				const choice = choices[at] ?? 0;
				// endpoints without a schema get few fields, or nothing would ever be stored
				const left = declared.length > 0 ? choice < 25 : choice < 85;
				return left || replaced.has(name) ? [] : [[name, JSON.stringify(plausibleValue(path, name, choice))]];
			});
			// in one of ten requests a name occurs twice, valid and hostile
			return [...meant, ...wrong];
		});
};

const jsonBody = (given: Field[]): SentBody => ({
	text: `{${given.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`,
	encoding: "utf8",
	contentType: "application/json",
});

const formBody = (given: Field[]): SentBody => ({
	text: given.map(([name, value]) => `${encode(name)}=${encode(plain(value))}`).join("&"),
	encoding: "utf8",
	contentType: "application/x-www-form-urlencoded",
});

const queryText = (given: Field[]): string =>
	given.length === 0 ? "" : `?${given.map(([name, value]) => `${encode(name)}=${encode(plain(value))}`).join("&")}`;

/** Strings without quotes. A query allows a few kilobytes; the server refuses more before it is read. */
const plain = (value: JsonText): string => (value.startsWith('"') ? String(JSON.parse(value)) : value).slice(0, 6_000);
const encode = (value: string): string => encodeURIComponent(wellFormed(value));

/** The path with its parameters, plausible or not, and sometimes altered. */
const pathOf = (path: string): fc.Arbitrary<string> =>
	fc
		.tuple(
			fc.constantFrom(...PARAMETERS),
			fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: hostileText }),
			fc.oneof({ weight: 20, arbitrary: fc.constant(straight) }, { weight: 1, arbitrary: fc.constantFrom(...BENT) }),
		)
		.map(([parameter, hostile, bend]) =>
			bend(BASE_PATH + path.replaceAll(/:[a-z]+/gi, () => encode((hostile ?? parameter).slice(0, 2_000)))),
		);

const PARAMETERS = ["gitlab", "google", placeholder("reset"), placeholder("tenantA"), placeholder("userA")];

const straight = (path: string): string => path;
const BENT: ((path: string) => string)[] = [
	(path) => path.replace("/api/auth/", "/api/auth//"),
	(path) => `//${path.slice(1)}`,
	(path) => path.replace("/auth/", "/auth/./"),
	(path) => path.replace("/auth/", "/auth/x/../"),
	(path) => path.replace("/auth/", "/auth%2f"),
	(path) => path.replace("tenant", "%74enant"),
	(path) => path.replace("tenant", "TENANT"),
	(path) => path.replace("/tenant/", "/tenant%2F"),
	(path) => path.replace("/tenant/", "/tenant\\"),
	(path) => path.replace("/tenant/", "/tenant;x=1/"),
	(path) => `${path}/`,
	(path) => `${path}//`,
	(path) => `${path}%00`,
	(path) => `${path}%20`,
	(path) => `${path}/..`,
	(path) => `${path}#x`,
	(path) => `${path}.json`,
	(path) => `${path}?`,
	(path) => `http://evil.example${path}`,
	(path) => `/${path}`,
	(path) => path.replaceAll("/", "%2f"),
	(path) => `${path}?%ff=%fe&=&&=x&a[b][c]=1&a=1&a=2&__proto__=x&__proto__[a]=b&constructor=1`,
];
