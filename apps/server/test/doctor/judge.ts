import type { Finding } from "../../src/doctor/finding.ts";

/** The messages of the findings with one status. */
export const saying = (findings: readonly Finding[], status: Finding["status"]): string[] =>
	findings.filter((finding) => finding.status === status).map(({ says }) => says);
