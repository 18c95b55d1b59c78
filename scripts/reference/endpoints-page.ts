import { curl, literal } from "./endpoint-samples.ts";
import { allEndpoints, type Endpoint } from "./endpoints.ts";
import { codeLink } from "./error-codes.ts";
import { grouped } from "./grouped.ts";
import { code, fence, link, type Page, prose, sentence, table } from "./markdown.ts";
import { optionLink } from "./options-page.ts";
import { codesOfEveryEndpoint, type Guard } from "./plugin-endpoints.ts";
import type { ReachableCode } from "./reachable-codes.ts";
import { fieldRow, fieldsOf } from "./schema-rows.ts";

const INTRODUCTION =
	"Every endpoint of `tenantAuth()` and of the plugins that you can add to it, with its input, output and errors. Paths are below Better Auth's `basePath`, which is `/api/auth` by default.";

const FURTHER =
	"Better Auth's own endpoints stay as they are, and work in tenants: [Plugins](../plugins.md) lists them by plugin. Single sign-on uses the endpoints of `@better-auth/sso`: [Single sign-on](../sso.md).";

const DERIVED =
	`The codes of an endpoint are found in the sources, by \`scripts/reference/reachable-codes.ts\`. It starts at the code of the endpoint and follows the
functions that it calls. A function that is only known by its type is not followed, and nothing is followed into Better Auth, so Better Auth's own
codes are not listed. Input that does not match the table returns 400 \`VALIDATION_ERROR\`, a code of Better Auth.`.replaceAll(
		"\n",
		" ",
	);

/** The features of the sources, in the order of the page. */
const FOLDERS: Record<string, string> = {
	tenants: "Tenants",
	methods: "Sign-in methods",
	impersonation: "Impersonation",
	domains: "Domains",
	email: "Sign-up and sign-in by email",
	oauth: "Social sign-in and OAuth configs",
	transfer: "Export and import",
	lifecycle: "Suspending tenants",
	admin: "Users of a tenant",
	invitations: "Invitations",
	policy: "Policies and second factors",
};

export const endpointsPage = async (): Promise<Page> => {
	const endpoints = await allEndpoints();
	const folders = grouped(endpoints, ({ source }) => source.folder);
	for (const folder of folders.keys())
		if (!(folder in FOLDERS))
			throw new Error(`Add a title for the endpoints of src/features/${folder} to endpoints-page.ts.`);
	return {
		file: "endpoints.md",
		title: "Endpoints",
		introduction: INTRODUCTION,
		body: [
			FURTHER,
			...Object.entries(FOLDERS).flatMap(([folder, title]) => renderFolder(title, folders.get(folder) ?? [])),
			"## Errors that every endpoint can return",
			"Checks that run before and after every endpoint, Better Auth's own included: the tenant of the request, its session, rate limits, and the database.",
			codeTable(codesOfEveryEndpoint()),
			"## How the error codes are derived",
			DERIVED,
		],
	};
};

const titleOf = ({ methods, path, name }: Endpoint): string =>
	path ? code(`${methods.join(" or ")} ${path}`) : code(`auth.api.${name}`);

const renderFolder = (title: string, endpoints: Endpoint[]): string[] => [
	`## ${title}`,
	...addedBy(endpoints),
	table(
		["Endpoint", "`auth.api`", "What it does"],
		endpoints.map((one) => [link(titleOf(one), titleOf(one)), code(one.name), sentence(one.openapi.description)]),
	),
	...endpoints.flatMap(renderEndpoint),
];

/** Which plugin an application adds to have them. */
const addedBy = ([first]: Endpoint[]): string[] =>
	first?.plugin.isCompanion
		? [`These endpoints exist if you add ${code(`${first.plugin.name}()`)} of ${code(first.plugin.entry)}.`]
		: [];

const renderEndpoint = (one: Endpoint): string[] => [
	`### ${titleOf(one)}`,
	prose(one.source.sentence),
	facts(one),
	...(one.input.length > 0
		? [
				`${one.place === "body" ? "Body" : "Parameters"}:`,
				table(["Field", "Type", "Required", "Meaning"], one.input.map(fieldRow)),
			]
		: ["It takes no input."]),
	...Object.entries(one.openapi.responses).flatMap(renderResponse),
	...renderErrors(one),
	...examples(one),
];

const facts = (one: Endpoint): string => {
	const rows = [
		["Server", code(`auth.api.${one.name}()`)],
		...(one.client ? [["Client", code(`authClient.${one.client}()`)]] : []),
		["Callers", callers(one)],
		...(one.delegatesTo ? [["Better Auth's endpoint", code(one.delegatesTo)]] : []),
		...(one.rateLimit
			? [["Rate limit", `${one.rateLimit.max} requests in ${one.rateLimit.window} seconds per IP address`]]
			: []),
	];
	return rows.map(([name, value]) => `- ${name}: ${value}`).join("\n");
};

const callers = ({ source: { guard }, path, kind }: Endpoint): string => {
	if (guard) return managers(guard);
	if (path === null) return "server code only. It has no path";
	if (kind === "member") return "a user with a session, also one that lacks its second factor";
	if (kind === "link") return "everybody who has the token";
	return path.includes("/callback/") ? "the browser that the provider redirects" : "everybody, without a session";
};

const managers = ({ action, requires, operatorsOnly, admitted }: Guard): string => {
	const asked = `Management action ${code(action)}.`;
	if (requires === "transfer")
		return `server code, or a management key while ${optionLink("management.transfer")} is true. ${asked}`;
	const operators = `server code, a management key (${optionLink("management.keys")}), a session of the platform that ${optionLink("management.userIds")} or ${optionLink("management.roles")} allows`;
	const admins = admitted === "owners" ? "owners" : "owners and admins";
	const tenantAdmins = admitted ? `, with ${code("tenantAdmin()")} ${admins} of the tenant` : "";
	const others = operatorsOnly ? "" : `, and every caller that ${optionLink("management.authorize")} allows`;
	const needs = requires ? ` Requires ${optionLink(`management.${requires}`)}.` : "";
	return `${operators}${tenantAdmins}${others}. ${asked}${needs}`;
};

const renderResponse = ([status, { description, content }]: [
	string,
	Endpoint["openapi"]["responses"][string],
]): string[] => {
	const fields = fieldsOf(content?.["application/json"]?.schema ?? {});
	const shown = `Response ${status}: ${sentence(description)}`;
	return fields.length > 0 ? [shown, table(["Field", "Type", "Always set", "Meaning"], fields.map(fieldRow))] : [shown];
};

const renderErrors = ({ source: { codes }, delegatesTo }: Endpoint): string[] => {
	const others = `${link("Errors that every endpoint can return", "Errors that every endpoint can return")}${delegatesTo ? ` and those of Better Auth's ${code(delegatesTo)}` : ""}`;
	if (codes.length === 0) return [`Errors: ${others}.`];
	return ["Errors:", codeTable(codes), `Also: ${others}.`];
};

const codeTable = (codes: ReachableCode[]): string =>
	table(
		["Status", "Code"],
		codes.map(({ code: name, status }) => [status === null ? "200, in `refused`" : String(status), codeLink(name)]),
	);

const credentialOf = ({ source: { guard }, kind }: Endpoint): "key" | "session" | null => {
	if (guard) return "key";
	return kind === "member" ? "session" : null;
};

const examples = (one: Endpoint): string[] => {
	if (one.path?.includes(":")) return [];
	const { place, example } = one;
	const call = place === "none" || Object.keys(example).length === 0 ? "" : `{ ${place}: ${literal(example)} }`;
	const server = one.needsHeaders ? "{ headers }" : call || (place === "none" ? "" : `{ ${place}: {} }`);
	const lines = [`await auth.api.${one.name}(${server});`];
	const sent = place === "none" && one.kind === "member" ? "" : literal(example);
	if (one.client) lines.push(`await authClient.${one.client}(${place === "query" ? call : sent});`);
	const blocks = [fence("ts", lines.join("\n"))];
	if (one.path) blocks.push(fence("sh", curl(one.methods[0] ?? "", one.path, example, credentialOf(one))));
	return blocks;
};
