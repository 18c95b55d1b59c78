/**
 * Where an identifier was found. All but `by hand` are asked of the running engine (candidates.ts), so that one without a
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
 * A kind and what was found. Values stand as placeholders: `<32>` for 32 letters of a random value, `<tag>` for the tenant
 * behind a session token, `<email>`, `<phone>`, `<name>`, `<any>`.
 */
export type Source = `${Kind} ${string}`;

export type Identifier = {
	name: string;
	sources: Source[];
	/** where all tenants' values of it meet */
	namespace: string;
	/** what keeps tenants apart there; files are named by their path. "Nothing" has to say why that is no danger. */
	separatedBy: string;
	/** a test that shows it: its file, and a part of its title */
	test: { file: string; title: string };
};

export type IdentifierGroup = { title: string; identifiers: Identifier[] };

const PLACEHOLDERS: Record<string, string> = {
	"<tag>": "(?:~[\\w-]+)?",
	"<email>": "[^\\s@]+@[^\\s@]+",
	"<phone>": "\\+\\d+",
	"<name>": "[\\w.-]+",
	"<any>": ".+",
};

/** Whether a row's source stands for what was found. */
export const standsFor = (source: Source): ((found: string) => boolean) => {
	const pattern = source
		.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
		.replaceAll(/<(\d+)>/g, "[\\w-]{$1}")
		.replaceAll(/<[a-z]+>/g, (placeholder) => PLACEHOLDERS[placeholder] ?? placeholder);
	const whole = new RegExp(`^${pattern}$`);
	return (found) => whole.test(found);
};

export const isByHand = (source: Source): boolean => source.startsWith("by hand: ");
