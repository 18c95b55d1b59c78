import { BetterAuthError } from "@better-auth/core/error";

/** What a path says about its tenant. */
type MatchedPath = { slug: string /** the path without the part that matched */; rest: string };

/** Reads a pattern such as `/t/:tenant/`, which is matched from the start of a path. */
export const readPathPattern = (caller: string, pattern: string): ((path: string) => MatchedPath | null) => {
	const [before, after, ...more] = pattern.split(":tenant");
	if (before === undefined || after === undefined || more.length > 0) {
		throw new BetterAuthError(
			`${caller}: the pattern ${JSON.stringify(pattern)} must contain ":tenant" exactly once, for example "/t/:tenant/"`,
		);
	}
	return (path) => {
		if (!path.startsWith(before)) return null;
		const [slug = ""] = path.slice(before.length).split("/", 1);
		const rest = path.slice(before.length + slug.length);
		if (slug === "" || !rest.startsWith(after)) return null;
		const left = rest.slice(after.length);
		return { slug, rest: left.startsWith("/") ? left : `/${left}` };
	};
};
