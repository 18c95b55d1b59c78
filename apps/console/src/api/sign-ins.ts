import { queryOptions } from "@tanstack/react-query";
import { authClient } from "./client.ts";
import { unwrap } from "./problem.ts";

type Numbers = { succeeded: number; refused: number };

/** The sign-ins of a tenant by day (UTC) and by method. */
export type SignIns = { days: ({ day: string } & Numbers)[]; methods: ({ method: string } & Numbers)[] };

export const signInsQuery = (tenantId: string) =>
	queryOptions({
		queryKey: ["tenant", tenantId, "sign-ins"],
		queryFn: () => unwrap(authClient.$fetch<SignIns>("/tenant/sign-ins", { query: { tenantId, days: 30 } })),
	});
