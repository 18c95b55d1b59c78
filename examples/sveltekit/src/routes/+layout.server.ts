import type { LayoutServerLoad } from "./$types";

export const load: LayoutServerLoad = ({ locals: { tenant }, url }) => ({
	tenant: tenant && { name: tenant.name, hue: Number(tenant.branding.hue) },
	host: url.host,
});
