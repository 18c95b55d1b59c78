/**
 * Where an identifier was found. All except `by hand` come from the running engine (candidates.ts), so one without a
 * row fails the proof.
 */
type Kind =
	| "unique"
	| "path"
	| "carried"
	| "cookie"
	| "storage"
	| "verification"
	| "claim"
	| "memory"
	| "request hook"
	| "by hand:";

/**
 * A kind and what was found. Values are placeholders: `<32>` for 32 characters of a random value, `<tag>` for the
 * tenant after a session token, `<email>`, `<phone>`, `<name>`, `<any>`.
 */
export type Source = `${Kind} ${string}`;

export type Identifier = {
	name: string;
	sources: Source[];
	/** what Better Auth 1.7.18 and later identify it by in addition, and what no longer */
	since1718?: { adds?: Source[]; drops?: Source[] };
	/** the namespace that all tenants share */
	namespace: string;
	/** what separates tenants there; files are named by their path. "Nothing" must say why that is safe. */
	separatedBy: string;
	/** a test of it: its file, and a part of its title */
	test: { file: string; title: string };
};

export type IdentifierGroup = { title: string; identifiers: Identifier[] };

/** What identifies it with a version of Better Auth. */
export const sourcesOf = ({ sources, since1718 = {} }: Identifier, version: string): Source[] => {
	const { adds = [], drops = [] } = since1718;
	const isNew = Number(version.split(".")[2]) >= 18;
	return isNew ? [...sources.filter((source) => !drops.includes(source)), ...adds] : sources;
};

const PLACEHOLDERS: Record<string, string> = {
	"<tag>": "(?:~[\\w-]+)?",
	"<email>": "[^\\s@]+@[^\\s@]+",
	"<phone>": "\\+\\d+",
	"<name>": "[\\w.-]+",
	"<any>": ".+",
};

/** Whether a row's source matches what was found. */
export const standsFor = (source: Source): ((found: string) => boolean) => {
	const pattern = source
		.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
		.replaceAll(/<(\d+)>/g, "[\\w-]{$1}")
		.replaceAll(/<[a-z]+>/g, (placeholder) => PLACEHOLDERS[placeholder] ?? placeholder);
	const whole = new RegExp(`^${pattern}$`);
	return (found) => whole.test(found);
};

export const isByHand = (source: Source): boolean => source.startsWith("by hand: ");
