import { mkdirSync, writeFileSync } from "node:fs";
import { PROVIDER_SETTINGS, type ProviderSettings, type Setting } from "../src/features/oauth/provider-settings.ts";

export const PROVIDER_DOCS = new URL("../../../docs/providers.md", import.meta.url);
/** One page for each provider, for readers who set up one. */
export const PROVIDER_PAGES = new URL("../../../docs/providers/", import.meta.url);

/** The page about providers, written from the table that the checks use, so that it cannot say anything else. */
export const renderProviderDocs = (): string => {
	const providers = Object.entries<ProviderSettings>(PROVIDER_SETTINGS).toSorted(([a], [b]) => (a < b ? -1 : 1));
	const rows = providers.map(([id, { name, console, settings, pkce }]) => [
		`\`${id}\``,
		`[${name}](providers/${id}.md)`,
		`\`{base}/tenant/callback/${id}\``,
		`${console}.`,
		Object.entries(settings).map(nameSetting).join(", ") || "none",
		pkce ? "yes" : "no",
	]);
	const header = ["`providerId`", "Provider", "Redirect URI", "In the provider's console", "`options`", "PKCE"];
	const details = providers
		.filter(([, { settings }]) => Object.keys(settings).length > 0)
		.map(([id, provider]) => `### ${provider.name} (\`${id}\`)\n\n${describeSettings(provider)}`);
	return [introduce(providers.length), table(header, rows), ABOUT_OPTIONS, ...details, ABOUT_TESTS].join("\n\n");
};

/** The page of each provider, by its id. */
export const renderProviderPages = (): Map<string, string> =>
	new Map(Object.entries<ProviderSettings>(PROVIDER_SETTINGS).map(([id, provider]) => [id, renderPage(id, provider)]));

const renderPage = (id: string, provider: ProviderSettings): string => {
	const { name, console, settings, pkce, authority } = provider;
	const required = Object.entries(settings).filter(([, { required }]) => required);
	const options = required.length > 0 ? `\n\t\toptions: { ${required.map(([key]) => `${key}: "…"`).join(", ")} },` : "";
	const lines = Object.keys(settings).length > 0 ? describeSettings(provider) : `${name} has no settings of its own.`;
	const servers = authority.filter((key) => settings[key]?.kind === "host").map((key) => `\`${key}\``);
	const own =
		servers.length > 0
			? ` If ${servers.join(" or ")} names a server of the tenant, the URI ends in the tenant's id.`
			: "";
	return `<!-- Written by packages/tenants/scripts/write-provider-docs.ts: run \`pnpm docs:providers\` instead of editing. -->

# Sign in with ${name}

Let the users of a tenant sign in with ${name}, with the tenant's own credentials or with yours for all tenants. It is one of
Better Auth's built-in providers, \`${id}\`.

## At the provider

${console}.

Enter this redirect URI: \`{base}/tenant/callback/${id}\`. \`{base}\` is your base URL with its path, such as
\`https://example.com/api/auth\`. Registering the credentials returns it in \`callbackURLs\`, once for each host of the tenant.${own}

## Credentials of one tenant

\`\`\`ts
await auth.api.registerTenantOauthConfig({
	body: {
		tenantId,
		providerId: "${id}",
		clientId: "…",
		clientSecret: "…",${options}
	},
});
\`\`\`

Over HTTP, send the same to \`POST /tenant/oauth-config/register\` with a management key. Credentials are encrypted, and no endpoint
returns the secret. [Test them](../guides/social-sign-in.md#testing-credentials) before users do.

## Credentials for all tenants

Configure \`${id}\` in Better Auth's \`socialProviders\`. Tenants without an enabled config of their own use it, with the same
redirect URI.

## Sign-in

\`\`\`ts
await authClient.tenant.signIn.social({ provider: "${id}", callbackURL: "/" });
\`\`\`

\`GET /tenant/methods\` lists the providers of a tenant, for your sign-in page. ${pkce ? "Sign-ins use PKCE." : "Better Auth sends no PKCE challenge to this provider."}

## Settings

${lines}

[Providers](../providers.md) has what all providers share: callback URLs, changing a config, and the rules for \`options\`.
`;
};

/** Columns are padded as the formatter does it. */
const table = (header: string[], rows: string[][]): string => {
	const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
	const line = (cells: string[]) => `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
	return [line(header), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
};

const nameSetting = ([name, { required }]: [string, Setting]): string => (required ? `**\`${name}\`**` : `\`${name}\``);

const describeSettings = ({ settings, authority }: ProviderSettings): string =>
	Object.entries(settings)
		.map(([name, setting]) => {
			const marks = [
				...(setting.required ? ["required"] : []),
				valuesOf(setting),
				...(authority.includes(name) ? ["authority"] : []),
			];
			const otherwise = setting.otherwise === undefined ? "" : `. Without it: \`${setting.otherwise}\``;
			return `- ${nameSetting([name, setting])} (${marks.join("; ")}): ${setting.says}${otherwise}`;
		})
		.join("\n");

const valuesOf = (setting: Setting): string => {
	switch (setting.kind) {
		case "flag":
			return "true or false";
		case "one-of":
			return setting.values.map((value) => `\`${value}\``).join(", ");
		case "host":
			return setting.form === "name" ? "host name" : "https URL";
		case "text":
			return "text";
	}
};

const callbackTable = (): string =>
	table(
		["The config's `options`", "`callbackURL`"],
		[
			[
				"name a server that the tenant may run itself, for example a GitLab of its own",
				"`{base}/tenant/callback/<providerId>/<tenant id>`",
			],
			["name no such server", "`{base}/tenant/callback/<providerId>`"],
		],
	);

const introduce = (
	count: number,
): string => `<!-- Written by scripts/write-provider-docs.ts: run \`pnpm docs:providers\` instead of editing. -->

# Providers

\`\`\`ts
await auth.api.registerTenantOauthConfig({
	body: {
		tenantId,
		providerId: "google",
		clientId: "…",
		clientSecret: "…",
		options: { hd: "example.com" },
	},
});
\`\`\`

A tenant can bring its own credentials for each of the ${count} built-in social providers of Better Auth. The call returns
\`callbackURLs\`: all redirect URIs that sign-ins of the tenant send. Enter them in the provider's console. [Test the credentials](guides/social-sign-in.md#testing-credentials) before users do.

## A form for credentials

\`better-auth-tenants/providers\` exports the contents of this page as plain data, for a form in your own console:

\`\`\`ts
import { listOauthProviders } from "better-auth-tenants/providers";

const forms = listOauthProviders().map(({ id, name, options }) => ({
	id,
	name,
	fields: options.map((option) => option.name),
}));
\`\`\`

## Callback URLs

\`/tenant/oauth-config/register\` and \`/tenant/oauth-config/list\` return the redirect URI of each config as \`callbackURL\`. \`{base}\` is your
base URL with its path, on the tenant's host if it has one (\`https://example.com/api/auth\`).

${callbackTable()}

Codes of one server then never arrive where those of another are expected (RFC 9700, section 4.4.2).

- The URL is decided when the config is registered. It stays until \`options\` name another server. It does not change with your
  \`socialProviders\`, also if they name the same server.
- \`callbackURLs\` has all URLs that sign-ins send. If tenants have [hosts](hosts.md), it has one for each host of the tenant: its
  subdomain and its domains. \`callbackURL\` is the one of the tenant's main host: the first in the order of your resolvers. If you
  list the configs on a host of the tenant, it is that host's. [One callback host](guides/social-sign-in.md#one-redirect-uri-for-all-hosts)
  needs one URL for all tenants.
- A config with a \`redirectURI\` of its own sends that one, and \`callbackURL\` returns it. Your route there must send the browser on to
  the URL that \`listCallbackURLs\` returns, with the same query.
- A sign-in that names its tenant on the platform's host, by header or body, sends the platform's host. Enter that URL too if you use it.
- With several hosts and no resolver that reads them (\`baseURL: { allowedHosts }\`), \`callbackURL\` has the host of the request that
  lists it, and a sign-in uses the host that it started on.
- \`callbackURL\` is null if you set no \`baseURL\`, because Better Auth then believes the \`Host\` header of any request.

## Changing a config

Register the provider again. \`clientId\` and \`clientSecret\` are always required. \`scopes\`, \`redirectURI\` and \`options\` keep their
stored value if you omit them. Send \`null\` to clear one of them, and a value to replace it. \`options\` is replaced as a whole.

\`\`\`ts
// a new secret, and nothing else
await auth.api.registerTenantOauthConfig({
	body: { tenantId, providerId: "gitlab", clientId: "…", clientSecret: "…" },
});
// back to gitlab.com, with the default scopes
await auth.api.registerTenantOauthConfig({
	body: { tenantId, providerId: "gitlab", clientId: "…", clientSecret: "…", options: null, scopes: null },
});
\`\`\`

\`enabled\` is different: it is \`true\` if you omit it, also for a config that is disabled. To rotate the secret of a disabled config, send
\`enabled: false\` with it.

- Stored values that stay are checked again. If \`allowPrivateHosts\` or the trusted origins changed, the call returns
  \`INVALID_PROVIDER_OPTIONS\` or \`INVALID_REDIRECT_URI\`. Send a valid value or \`null\`.
- Stored options that cannot be decrypted are not dropped. The call returns 409 \`OAUTH_OPTIONS_UNREADABLE\`. Send \`options\` again.
- If several calls register the same provider at the same time, each applies completely or not at all. A call that loses 20 times in a
  row returns 409 \`OAUTH_CONFIG_CHANGED\`.
- Every registration ends the sign-ins in progress of that config, with \`error=state_mismatch\`.

## Settings by provider

Settings in bold are required.`;

const ABOUT_OPTIONS = `## What \`options\` takes

Settings that are not named here, values of another kind, and a missing required setting are refused with \`INVALID_PROVIDER_OPTIONS\`.
Options are encrypted like the client secret and are not shown again. Functions (\`mapProfileToUser\`, \`getUserInfo\`, …), endpoints and
settings that weaken a sign-in cannot be set for a tenant.

A setting that names a host makes your server call it. It takes https and a public host only: no user name, query or fragment, a path for
GitLab alone, no private, loopback or link-local address, no name that only means something inside of a network.
\`tenantAuth({ oauth: { allowPrivateHosts: true } })\` turns this check off, for development.

"Authority" marks the settings that choose the server or realm of an account. With another value, the same subject is another user.`;

const ABOUT_TESTS = `## What is tested

For each provider a test registers a tenant's credentials and looks at the authorization request: client id, redirect URI, scopes, state and,
where the table says PKCE, the S256 code challenge (\`test/oauth/providers.test.ts\`). PKCE "no" means that the engine sends none to this
provider; the state still is bound to the tenant, the provider and the browser, and good for one use. None of the providers themselves was
called.
`;

if (import.meta.main) {
	writeFileSync(PROVIDER_DOCS, renderProviderDocs());
	mkdirSync(PROVIDER_PAGES, { recursive: true });
	for (const [id, page] of renderProviderPages()) writeFileSync(new URL(`${id}.md`, PROVIDER_PAGES), page);
}
