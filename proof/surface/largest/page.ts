import { alignedTable } from "test-kit/results/recorded-run";
import { type Recorded, resultsIn } from "test-kit/results/results-in";
import { showCount } from "test-kit/results/show-count";
import type { Largest } from "./find-largest-values.ts";

export type LargestValues = { fields: number; largest: Largest[] };

export const largestResults = resultsIn(new URL("./results/", import.meta.url));
export const RESULTS = "largest-values";
export const PAGE = new URL("../../../docs/stored-values.md", import.meta.url);

/** Renders the page about what requests store, from the recorded run. */
export const renderPage = ({ fields, largest, at }: Recorded<LargestValues>): string => `# What requests store

<!-- Written by \`pnpm --filter surface largest\`. Do not edit. -->

The longest text that each field of each endpoint accepts, where it is stored, and for how long. Every endpoint of Better Auth and its
official plugins gets a text in each of its fields, first short, then longer, until it is refused. ${showCount(fields)} fields were tried on
${at.slice(0, 10)} with SQLite and Redis. These ${showCount(largest.length)} are stored. Encrypted and hashed values are not listed: they cannot be found
again. [Sizes](limits.md#sizes) has the bounds, and how to change them.

A _stranger_ has no session, and a _program_ has its own key, such as a SCIM token. What strangers store for a short time is also bounded in sum ([\`limits.shares\`](limits.md#load)), and so is how often they
sign up ([rate limits](limits.md#load)).

${alignedTable(
	["Endpoint", "Field", "Caller", "Longest text", "Stored in", "For"],
	largest.map(({ endpoint, field, caller, accepted, stored }) => [
		`\`${endpoint}\``,
		`\`${field}\``,
		caller,
		showCount(accepted),
		list(stored.map(({ where }) => `\`${where}\``)),
		list(stored.map(({ seconds }) => duration(seconds))),
	]),
)}
`;

const list = (texts: string[]): string => [...new Set(texts)].join(", ");

const duration = (seconds: number | undefined): string => {
	if (seconds === undefined) return "until it is deleted";
	if (seconds >= 2 * 86_400) return `${Math.round(seconds / 86_400)} days`;
	return seconds >= 2 * 3_600 ? `${Math.round(seconds / 3_600)} hours` : `${Math.round(seconds / 60)} minutes`;
};
