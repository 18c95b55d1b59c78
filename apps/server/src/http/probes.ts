import { LIVEZ, READYZ } from "../request/routes.ts";

export type Readiness = () => Promise<{ ready: boolean; checks: Record<string, "ok" | "failed" | "closing"> }>;

type Answer = { status: 200 | 503; body: object };

/** The probes by path: whether the process is alive, and whether it can serve requests. */
export const createProbes = (readiness: Readiness): Map<string, () => Promise<Answer>> =>
	new Map<string, () => Promise<Answer>>([
		[LIVEZ.pattern, async () => ({ status: 200, body: { status: "ok" } })],
		[
			READYZ.pattern,
			async () => {
				const { ready, checks } = await readiness();
				const isWhole = Object.values(checks).every((result) => result === "ok");
				const status = ready ? (isWhole ? "ok" : "degraded") : "unavailable";
				return { status: ready ? 200 : 503, body: { status, checks } };
			},
		],
	]);
