/** An error of the compiler. `owner` is the package of the file, `application` or `options`. */
export type CompileError = { owner: string; place: string; code: string; text: string };

const OURS = ["application", "options", "better-auth-tenants", "better-auth-tenants-react"];

/** Reads what `tsc --pretty false` printed. Throws on a line that is neither an error nor a part of one. */
export const parseErrors = (printed: string): CompileError[] => {
	const errors: CompileError[] = [];
	for (const line of printed.split("\n").filter((one) => one.trim() !== "")) {
		const [, path, place, code, text = ""] = /^(?:(.+?)\((\d+,\d+)\): )?error (TS\d+): (.*)$/.exec(line) ?? [];
		if (code) errors.push({ owner: ownerOf(path), place: path ? `${path}(${place})` : "tsconfig.json", code, text });
		else if (!line.startsWith(" ")) throw new Error(`tsc printed: ${line}`);
	}
	return errors;
};

const ownerOf = (path: string | undefined): string => {
	if (path === undefined) return "options";
	const inside = path.split("node_modules/").at(-1) ?? "";
	if (inside === path) return "application";
	return /^(?:@[^/]+\/)?[^/]+/.exec(inside)?.[0] ?? inside;
};

/** Whether a user would see the error as one of these packages: it is in their files, or in the user's own code. */
export const isOurs = ({ owner }: CompileError): boolean => OURS.includes(owner);

/** Errors in the files of others, by package. They are shown and do not fail. */
export const countOthers = (errors: CompileError[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const { owner } of errors.filter((error) => !isOurs(error))) counts[owner] = (counts[owner] ?? 0) + 1;
	return counts;
};
