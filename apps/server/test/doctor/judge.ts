import type { Finding } from "../../src/doctor/finding.ts";

/** The findings of one status, as text. */
export const saying = (findings: readonly Finding[], status: Finding["status"]): string[] =>
	findings.filter((finding) => finding.status === status).map(({ says }) => says);
