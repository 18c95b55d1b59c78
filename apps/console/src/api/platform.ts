import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

export type Deletion = { tenantId: string; name: string; slug: string; startedAt: string; rowsLeft: number };

/** What `GET /tenant/platform` returns. */
export type Platform = {
	version: string;
	/** of the process that served the request, and of no other */
	process: {
		startedAt: string;
		signIns: {
			methods: { method: string; succeeded: number; pending: number; refused: number; failed: number }[];
			milliseconds: { p50: number; p95: number; p99: number } | null;
		};
	};
	processes: { host: string; schema: string; secondsAgo: number }[];
	jobs: { task: string; waiting: number; retrying: number; failed: number; oldestSeconds: number }[];
	tenantsEstimate: number;
	deletions: Deletion[];
};

export const platformQuery = queryOptions({
	queryKey: ["platform"],
	queryFn: () => unwrap(authClient.$fetch<Platform>("/tenant/platform")),
});
