import * as z from "zod";
import type { ApiClient } from "../api-client.ts";
import { type Tenant, tenantAnswer } from "./tenant.ts";

/** The largest page the API allows. */
const PAGE = 1000;

/** Yields all tenants, or the first `most`, page by page. */
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
