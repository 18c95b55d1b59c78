import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = ({ locals: { tenant }, url }) => ({
	tenant: tenant && { name: tenant.name, hue: Number(tenant.metadata?.hue ?? 0) },
	host: url.host,
});
