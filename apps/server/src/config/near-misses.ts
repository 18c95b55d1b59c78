import { editDistance } from "./edit-distance.ts";
import { type Environment, SECRETS } from "./secret-files.ts";

/** A variable that has no effect, but looks like one of ours. Never its value. */
export type NearMiss = { name: string; says: string; fix: string };

/** Beginnings that only this server uses. Others, such as REDIS_ and SMTP_, are also used by platforms and libraries. */
const GROUPS = [
	"RATE_LIMIT_",
	"SIGN_IN_",
	"TENANT_",
	"TRUSTED_",
	"MANAGEMENT_",
	"REDIS_SENTINEL",
	"COOKIE_CACHE_",
	"SHUTDOWN_",
];

/** What people put before a name. Other prefixes may belong to other programs. */
const PREFIX = /^(BETTER_AUTH|TENANTS)_/;

/**
 * Finds variables that are probably misspelled: `TRUSTED_PROXY`, `SMTP_URI`, `RATE_LIMITS`. The server would run without the
 * setting. They are warnings and no mistakes, because platforms inject variables that nobody chose.
 */
export const findNearMisses = (environment: Environment, variables: readonly string[]): NearMiss[] => {
	const known = new Set([...variables, ...SECRETS, ...SECRETS.map((name) => `${name}_FILE`)]);
	const isSet = (name: string): boolean =>
		[name, `${name}_FILE`].some((spelling) => known.has(spelling) && environment[spelling]?.trim());
	return Object.entries(environment).flatMap(([name, value]) => {
		if (!value?.trim() || known.has(name) || name.startsWith("SOCIAL_") || isServiceLink(name, value)) return [];
		const meant = findMeant(name, [...known]);
		// with the right name set as well, the other one belongs to somebody else
		if (meant) return isSet(meant) ? [] : [missOf(name, meant)];
		const group = GROUPS.find((begin) => name.startsWith(begin));
		return group ? [strangerOf(name, group, variables)] : [];
	});
};

const findMeant = (name: string, known: string[]): string | undefined => {
	const plain = name.toUpperCase();
	const bare = plain.replace(PREFIX, "");
	const base = bare.replace(/_FILE$/, "");
	return (
		[bare, base].find((spelling) => known.includes(spelling)) ??
		known.find((ours) => wordsOf(ours) === wordsOf(plain)) ??
		closest(plain, known)
	);
};

/** The words of a name, in the singular and in alphabetical order. */
const wordsOf = (name: string): string =>
	name
		.split("_")
		.map((word) => word.replace(/IES$/, "Y").replace(/S$/, ""))
		.sort()
		.join("_");

const closest = (name: string, known: string[]): string | undefined => {
	const candidates = known
		.filter((ours) => Math.abs(ours.length - name.length) <= allowedEdits(ours))
		.map((ours) => ({ ours, distance: editDistance(ours, name) }))
		.filter(({ ours, distance }) => distance <= allowedEdits(ours));
	return candidates.sort((one, other) => one.distance - other.distance)[0]?.ours;
};

/** In a short name, each letter counts: HOME is not HOST. */
const allowedEdits = ({ length }: string): number => {
	if (length < 5) return 0;
	return length < 8 ? 1 : 2;
};

/** Kubernetes describes each service of the namespace to each container, and so did Docker's links. */
const isServiceLink = (name: string, value: string): boolean =>
	name.endsWith("_SERVICE_HOST") ||
	name.includes("_SERVICE_PORT") ||
	/_PORT_\d+_(TCP|UDP|SCTP)/.test(name) ||
	(name.endsWith("_PORT") && /^(tcp|udp|sctp):\/\//.test(value));

const missOf = (name: string, meant: string): NearMiss => ({
	name,
	says: `${name} has no effect`,
	fix: `Rename it if you meant ${meant}.`,
});

const strangerOf = (name: string, group: string, variables: readonly string[]): NearMiss => ({
	name,
	says: `${name} has no effect`,
	fix: `Remove it, or use one of ${variables.filter((ours) => ours.startsWith(group)).join(", ")}.`,
});
