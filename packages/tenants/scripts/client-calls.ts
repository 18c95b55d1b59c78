import { createAuthClient } from "better-auth/client";
import {
	tenantAdminClient,
	tenantAuthClient,
	tenantInvitationsClient,
	tenantLifecycleClient,
	tenantPolicyClient,
} from "../src/client.ts";

/** What the client sent: the method, and the path below the base URL. */
export type ClientCall = { method: string; path: string };

const BASE = "https://auth.example.com/api/auth";

/** Calls `authClient.tenant.create(…)` by its name, and returns the request that the client sends. */
export const callClient = async (name: string, input: object): Promise<ClientCall | null> => {
	let sent: ClientCall | null = null;
	const client = createAuthClient({
		baseURL: BASE,
		plugins: [
			tenantAuthClient(),
			tenantLifecycleClient(),
			tenantAdminClient(),
			tenantInvitationsClient(),
			tenantPolicyClient(),
		],
		fetchOptions: {
			customFetchImpl: async (url, init) => {
				const { pathname } = new URL(url instanceof Request ? url.url : url);
				sent = { method: init?.method ?? "GET", path: pathname.replace("/api/auth", "") };
				return Response.json({});
			},
		},
	});
	const call = name.split(".").reduce<unknown>((at, part) => Reflect.get(Object(at), part), client);
	if (typeof call === "function") await call(input);
	return sent;
};
