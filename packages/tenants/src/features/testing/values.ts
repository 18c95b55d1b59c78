import type { Leaf } from "./shape.ts";
import type { TenantIsolationSide } from "./side.ts";

/** At most this many values are tried per field. */
const MAX_VALUES = 8;

/** The provider that each tenant gets credentials for. */
export const PROVIDER = "github";

/** The same few names are compared for every field of every call. */
const words = new Map<string, string>();

const asWords = (name: string): string => {
	const known = words.get(name) ?? name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
	words.set(name, known);
	return known;
};

/**
 * Values of a side that may fit a field of this name, best match first: ids of the table it names, values of the column
 * it names, tokens, emails, the password.
 */
export const namedValues = (side: TenantIsolationSide, name: string, path = ""): string[] => {
	const word = asWords(name);
	if (/tenant/.test(word)) return word === "tenantid" ? [side.tenantId] : [side.tenantId, side.slug];
	if (/password/.test(word)) return side.users.slice(0, 1).map(({ password }) => password);
	const fitting: string[] = [];
	if (/^id|ids?$|idor/.test(word)) fitting.push(...ids(side, word, asWords(path)));
	if (/e?mail/.test(word)) fitting.push(...side.users.map(({ email }) => email));
	if (/token|code|otp|secret|state|nonce|key|jwt|identifier/.test(word)) fitting.push(...tokens(side, path));
	fitting.push(...cells(side, word));
	return [...new Set(fitting)].slice(0, MAX_VALUES);
};

const ids = (side: TenantIsolationSide, word: string, path: string): string[] => {
	const at = word.search(/ids?(?:or|$)/);
	const subject = at < 0 ? word : word.slice(0, at);
	const tables = Object.keys(side.rows);
	const fits = (table: string) => (subject ? subject.endsWith(asWords(table)) : path.includes(asWords(table)));
	const idsOf = (table: string) => (side.rows[table] ?? []).map(({ id }) => String(id));
	const fitting = tables.filter(fits).sort((one, other) => other.length - one.length);
	// the caller's own id comes last, because most endpoints with a user id are meant for another user
	const named = fitting.flatMap((table) => (table === "user" ? idsOf(table).reverse() : idsOf(table).slice(0, 4)));
	return subject && named.length > 0 ? named : [...named, ...tables.flatMap((table) => idsOf(table).slice(0, 1))];
};

type Cell = { value: string; exact: boolean };
/** Rows are replaced when they change, so what was found in them stays right. */
const found = new WeakMap<TenantIsolationSide["rows"], Map<string, Cell[]>>();

/** `slug` matches that column in any table, `organizationSlug` only in `organization`. */
const cells = ({ rows }: TenantIsolationSide, word: string): string[] => {
	const byWord = found.get(rows) ?? new Map<string, Cell[]>();
	found.set(rows, byWord);
	const here = byWord.get(word) ?? cellsNamed(rows, word);
	byWord.set(word, here);
	// an exact match is better: `username` is the column `username`, not `name` of `user`
	const exact = here.filter((one) => one.exact);
	return (exact.length > 0 ? exact : here).map(({ value }) => value);
};

const cellsNamed = (rows: TenantIsolationSide["rows"], word: string): Cell[] =>
	Object.entries(rows).flatMap(([table, ofTable]) =>
		ofTable.flatMap((row) =>
			Object.entries(row).flatMap(([column, cell]) => {
				const exact = asWords(column) === word;
				const fits = exact || asWords(table) + asWords(column) === word;
				return fits && column !== "id" && (typeof cell === "string" || typeof cell === "number")
					? [{ value: String(cell), exact }]
					: [];
			}),
		),
	);

/** Tokens in verifications (`reset-password:TOKEN`, or the value alone), and session tokens. */
const tokens = (side: TenantIsolationSide, path: string): string[] => {
	const own = (side.rows.verification ?? []).flatMap(({ identifier, value }) =>
		[identifier, value].flatMap((cell) => {
			const text = String(cell);
			const [purpose = "", ...rest] = text.split(":");
			const token = rest.at(-1) ?? text;
			return text.startsWith("{") || token.length < 6
				? []
				: [...new Set([token, text])].map((one) => ({ one, fits: rest.length > 0 && fitsPath(purpose, path) }));
		}),
	);
	const sessions = side.users.flatMap(({ token }) => token ?? []);
	const sent = side.tokens.filter(({ purpose }) => isSentFor(purpose, path)).map(({ value }) => value);
	return [
		...sent,
		...own.flatMap(({ one, fits }) => (fits ? one : [])),
		...sessions,
		...own.flatMap(({ one, fits }) => (fits ? [] : one)),
	];
};

/** Whether the path belongs to a token's purpose: `delete-account` matches `/delete-user/callback`. */
const fitsPath = (purpose: string, path: string): boolean => path.includes(purpose.split("-")[0] ?? "-");

/** Whether a path names what a token was sent for: `reset password` matches `/reset-password/:token`. */
const isSentFor = (purpose: string, path: string): boolean =>
	purpose.split(" ").some((word) => word.length > 4 && path.includes(word));

/** Generates a value that no row contains yet. */
export type Fresh = () => string;

/** Values that the side itself would plausibly send, most plausible first. */
export const plausibleValues = (side: TenantIsolationSide, leaf: Leaf, fresh: Fresh, path = ""): unknown[] => {
	const word = asWords(leaf.name);
	if (leaf.choices) return leaf.choices;
	if (leaf.type === "boolean") return [true, false];
	if (leaf.type === "number") return [Math.max(leaf.minimum ?? 1, 1)];
	if (/(date|expires|expiresat|until)$/.test(word) || leaf.format === "date-time")
		return [new Date(Date.now() + 86_400_000).toISOString()];
	if (/ur[il]$|redirect/.test(word)) return ["/isolation"];
	if (/phone/.test(word)) return [`+1555${String(Date.now()).slice(-7)}`];
	// as long as the old one, which the rules of passwords allow
	if (/newpassword/.test(word)) return namedValues(side, leaf.name, path).map((old) => `n${old.slice(1)}`);
	if (/password/.test(word)) return namedValues(side, leaf.name, path);
	const text = cut(`${side.canary}${fresh()}`, leaf);
	const named = namedValues(side, leaf.name, path);
	if (leaf.format === "email" || /e?mail/.test(word)) {
		const unknown = `${side.canary}${fresh()}@example.com`;
		return word.startsWith("new") ? [unknown] : [...named.slice(0, 2), unknown];
	}
	if (/^provider(id)?$/.test(word)) return [PROVIDER];
	if (/role/.test(word)) return ["member", "member", "admin", "user"];
	return /name$|slug|title|text|label/.test(word) && word !== "username" ? [text, ...named] : [...named, text];
};

const cut = (text: string, { minLength = 0, maxLength = 40 }: Leaf): string =>
	text.padEnd(minLength, "x").slice(0, maxLength);
