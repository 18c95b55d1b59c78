import { type Organization, readOrganizations, writeOrganizations } from "./organizations.ts";
import { appUrl, callbackUrl, issuerOf, serviceUrl, signedOutUrl } from "./settings.ts";

const TENANTS = [
	{ name: "Acme", slug: "acme", metadata: { branding: { primaryColor: "#0057b8" } } },
	{ name: "Globex", slug: "globex", metadata: { branding: { primaryColor: "#a04000" } } },
];

/** Calls the management API of the service. Returns null for 404. */
const operate = async <Result>(path: string, body?: object): Promise<Result | null> => {
	const response = await fetch(new URL(`/api/auth/tenant/${path}`, serviceUrl), {
		method: body ? "POST" : "GET",
		headers: { authorization: `Bearer ${process.env.MANAGEMENT_KEY}`, "content-type": "application/json" },
		...(body ? { body: JSON.stringify(body) } : {}),
	});
	if (response.status === 404) return null;
	if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
	return (await response.json()) as Result;
};

type Tenant = { id: string };
type Client = { client_id: string; client_secret: string };

const client = {
	client_name: "Notes",
	// OpenID Connect allows http on this machine only for native applications. With https, it is a web application
	application_type: appUrl.protocol === "https:" ? "web" : "native",
	redirect_uris: [callbackUrl],
	post_logout_redirect_uris: [signedOutUrl],
	enable_end_session: true,
	token_endpoint_auth_method: "client_secret_post",
	grant_types: ["authorization_code"],
	scope: "openid profile email",
};

const organizations: Organization[] = readOrganizations();
for (const { slug, name, metadata } of TENANTS) {
	if (!organizations.some((known) => known.slug === slug)) {
		const tenant =
			(await operate<Tenant>(`get?slug=${slug}`)) ?? (await operate<Tenant>("create", { name, slug, metadata }));
		const made = tenant && (await operate<Client>("oauth-client/create", { tenantId: tenant.id, client }));
		if (!made) throw new Error(`${name} has no client. Check AUTH_URL.`);
		const { client_id: clientId, client_secret: clientSecret } = made;
		organizations.push({ slug, name, tenantId: tenant.id, issuer: issuerOf(slug), clientId, clientSecret });
	}
	console.log(`${name}: ${issuerOf(slug)}`);
}
writeOrganizations(organizations);
