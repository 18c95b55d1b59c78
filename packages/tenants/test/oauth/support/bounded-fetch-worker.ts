import { withBoundedFetch } from "../../../src/features/oauth/bounded-fetch.ts";

/** A worker that calls the URL it receives, as it would a tenant's own server. */
// biome-ignore lint/style/noDefaultExport: where workerd looks for it
export default {
	fetch: async (request: Request): Promise<Response> => {
		const url = await request.text();
		try {
			const bounds = { signal: AbortSignal.timeout(60_000), publicHostsOnly: true };
			const { status, body } = await withBoundedFetch(bounds, () => fetch(url, { method: "POST", body: "sent" }));
			return new Response(body, { status });
		} catch (error) {
			return new Response(String(error), { status: 500 });
		}
	},
};
