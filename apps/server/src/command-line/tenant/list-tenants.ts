import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { type Tenant, tenantAnswer } from "./tenant.ts";

/** The most that a page may have. */
const PAGE = 1000;

/** Every tenant, or as many as wanted, a page at a time. */
export async function* listTenants(api: ApiClient, most = Number.POSITIVE_INFINITY): AsyncGenerator<Tenant[]> {
	const call = {
		answer: z.array(tenantAnswer),
		query: { limit: Math.min(most, PAGE) },
		patience: "long" as const,
	};
	let left = most;
	for await (const page of api.pages("/tenant/list", call)) {
		yield page.slice(0, left);
		left -= page.length;
		if (left <= 0) return;
	}
}
