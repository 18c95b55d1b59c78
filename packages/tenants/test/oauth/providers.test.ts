import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { socialProviders } from "better-auth/social-providers";
import { canarySecret } from "test-kit/canary";
import { createWorld, ORIGIN, type World } from "test-kit/world";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PROVIDER_DOCS, renderProviderDocs } from "../../scripts/write-provider-docs.ts";
import { PROVIDER_SETTINGS, type ProviderSettings } from "../../src/oauth/provider-settings.ts";
import { readTag } from "../../src/scope/tag.ts";

type ProviderId = keyof typeof socialProviders;

type Expected = {
	/** where people are sent */
	at: string;
	pkce: boolean;
	/** asked for by default; null where the engine sends no scopes at all, not even the tenant's */
	scopes: string[] | null;
	/** the parameter that carries the client id, where it is not client_id */
	clientParameter?: string;
	/** where it is not "code" */
	responseType?: string;
	/** what the provider does not work without */
	options?: Record<string, string>;
};

const CLIENT_ID = "client-of-the-tenant";
const EXTRA_SCOPE = "one.more:scope";
const COGNITO = {
	domain: "acme.auth.eu-central-1.amazoncognito.com",
	region: "eu-central-1",
	userPoolId: "eu-central-1_AbCdEfGhI",
};

const OIDC = ["openid", "email", "profile"];

/** What the authorization request of each provider has to look like. One that the engine adds does not compile without. */
const EXPECTED = {
	apple: {
		at: "https://appleid.apple.com/auth/authorize",
		pkce: true,
		scopes: ["email", "name"],
		responseType: "code id_token",
	},
	atlassian: {
		at: "https://auth.atlassian.com/authorize",
		pkce: true,
		scopes: ["read:jira-user", "offline_access"],
	},
	cloudflare: { at: "https://dash.cloudflare.com/oauth2/auth", pkce: true, scopes: ["user-details.read"] },
	cognito: {
		at: `https://${COGNITO.domain}/oauth2/authorize`,
		pkce: true,
		scopes: OIDC,
		options: COGNITO,
	},
	discord: { at: "https://discord.com/api/oauth2/authorize", pkce: false, scopes: ["identify", "email"] },
	dropbox: { at: "https://www.dropbox.com/oauth2/authorize", pkce: true, scopes: ["account_info.read"] },
	facebook: {
		at: "https://www.facebook.com/v24.0/dialog/oauth",
		pkce: false,
		scopes: ["email", "public_profile"],
	},
	figma: { at: "https://www.figma.com/oauth", pkce: true, scopes: ["current_user:read"] },
	github: { at: "https://github.com/login/oauth/authorize", pkce: true, scopes: ["read:user", "user:email"] },
	gitlab: { at: "https://gitlab.com/oauth/authorize", pkce: true, scopes: ["read_user"] },
	google: { at: "https://accounts.google.com/o/oauth2/v2/auth", pkce: true, scopes: OIDC },
	huggingface: { at: "https://huggingface.co/oauth/authorize", pkce: true, scopes: OIDC },
	kakao: {
		at: "https://kauth.kakao.com/oauth/authorize",
		pkce: false,
		scopes: ["account_email", "profile_image", "profile_nickname"],
	},
	kick: { at: "https://id.kick.com/oauth/authorize", pkce: true, scopes: ["user:read"] },
	line: { at: "https://access.line.me/oauth2/v2.1/authorize", pkce: true, scopes: OIDC },
	linear: { at: "https://linear.app/oauth/authorize", pkce: false, scopes: ["read"] },
	linkedin: { at: "https://www.linkedin.com/oauth/v2/authorization", pkce: false, scopes: OIDC },
	microsoft: {
		at: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
		pkce: true,
		scopes: [...OIDC, "User.Read", "offline_access"],
	},
	naver: { at: "https://nid.naver.com/oauth2.0/authorize", pkce: false, scopes: ["profile", "email"] },
	notion: { at: "https://api.notion.com/v1/oauth/authorize", pkce: false, scopes: [] },
	paybin: { at: "https://idp.paybin.io/oauth2/authorize", pkce: true, scopes: OIDC },
	paypal: { at: "https://www.paypal.com/signin/authorize", pkce: true, scopes: null },
	polar: { at: "https://polar.sh/oauth2/authorize", pkce: true, scopes: OIDC },
	railway: { at: "https://backboard.railway.com/oauth/auth", pkce: true, scopes: OIDC },
	reddit: { at: "https://www.reddit.com/api/v1/authorize", pkce: false, scopes: ["identity"] },
	roblox: { at: "https://apis.roblox.com/oauth/v1/authorize", pkce: false, scopes: ["openid", "profile"] },
	salesforce: { at: "https://login.salesforce.com/services/oauth2/authorize", pkce: true, scopes: OIDC },
	slack: { at: "https://slack.com/openid/connect/authorize", pkce: false, scopes: OIDC },
	spotify: { at: "https://accounts.spotify.com/authorize", pkce: true, scopes: ["user-read-email"] },
	tiktok: {
		at: "https://www.tiktok.com/v2/auth/authorize",
		pkce: false,
		scopes: ["user.info.profile"],
		clientParameter: "client_key",
	},
	twitch: { at: "https://id.twitch.tv/oauth2/authorize", pkce: false, scopes: ["user:read:email", "openid"] },
	twitter: {
		at: "https://x.com/i/oauth2/authorize",
		pkce: true,
		scopes: ["users.read", "tweet.read", "offline.access", "users.email"],
	},
	vercel: { at: "https://vercel.com/oauth/authorize", pkce: true, scopes: [] },
	vk: { at: "https://id.vk.com/authorize", pkce: true, scopes: ["email", "phone"] },
	wechat: {
		at: "https://open.weixin.qq.com/connect/qrconnect",
		pkce: false,
		scopes: ["snsapi_login"],
		clientParameter: "appid",
	},
	zoom: { at: "https://zoom.us/oauth/authorize", pkce: true, scopes: null },
} satisfies Record<ProviderId, Expected>;

const PROVIDERS = Object.entries<Expected>(EXPECTED);

/** What settings of these kinds look like when they are right. */
const SAMPLES: Record<string, string> = {
	"apple.appBundleIdentifier": "com.example.app",
	"cognito.domain": COGNITO.domain,
	"cognito.identityProvider": "Google",
	"cognito.region": COGNITO.region,
	"cognito.userPoolId": COGNITO.userPoolId,
	"facebook.configId": "1234567890",
	"gitlab.issuer": "https://gitlab.example.com",
	"google.hd": "example.com",
	"microsoft.authority": "https://acme.ciamlogin.com",
	"microsoft.tenantId": "5b7c1a2e-0d3f-4a68-9b1c-7e2f4d6a8c90",
	"paybin.issuer": "https://idp.example.com",
	"salesforce.loginUrl": "acme.my.salesforce.com",
};

const SETTINGS = Object.entries<ProviderSettings>(PROVIDER_SETTINGS).flatMap(([providerId, { settings }]) =>
	Object.entries(settings).map(([name, setting]) => ({ providerId, name, setting, id: `${providerId}.${name}` })),
);

/** As in production: hosts have to be public. */
const createStrictWorld = () => createWorld({ tenantAuth: { oauth: { allowPrivateHosts: false } } });

const register = (world: World, tenantId: string, providerId: string, options?: Record<string, unknown>) =>
	world.call("/tenant/oauth-config/register", {
		operator: true,
		body: {
			tenantId,
			providerId,
			clientId: CLIENT_ID,
			clientSecret: canarySecret(providerId),
			scopes: [EXTRA_SCOPE],
			...(options ? { options } : {}),
		},
	});

const start = (world: World, tenantId: string, provider: string) =>
	world.call("/tenant/sign-in/social", { body: { tenantId, provider } });

/** Registers, starts, and answers where people are sent. */
const startWith = async (
	world: World,
	tenantId: string,
	providerId: string,
	options?: Record<string, unknown>,
): Promise<URL> => {
	const registered = await register(world, tenantId, providerId, options);
	expect([providerId, options, registered.status, registered.code]).toEqual([providerId, options, 200, undefined]);
	const started = await start(world, tenantId, providerId);
	expect([providerId, options, started.status, started.code]).toEqual([providerId, options, 200, undefined]);
	return new URL(started.json.url);
};

const expectedOf = (providerId: string): Expected => EXPECTED[providerId as ProviderId];
const requiredOf = (providerId: string): Record<string, string> => expectedOf(providerId).options ?? {};

/** The world may not be asked: starting a sign-in calls nobody. */
const calls: string[] = [];
beforeEach(() => {
	calls.length = 0;
	vi.stubGlobal("fetch", async (input: unknown) => {
		calls.push(String(input));
		throw new TypeError("no network in this test");
	});
});
afterEach(() => {
	vi.unstubAllGlobals();
	expect(calls).toEqual([]);
});

describe("the table of providers", () => {
	it("describes exactly the providers of the engine", () => {
		const ids = Object.keys(socialProviders).sort();
		expect(Object.keys(PROVIDER_SETTINGS).sort()).toEqual(ids);
		expect(Object.keys(EXPECTED).sort()).toEqual(ids);
		expect(ids.length).toBe(36);
	});

	it("says about PKCE and required settings what the requests show", () => {
		for (const [id, { pkce, options }] of PROVIDERS) {
			const described: ProviderSettings = PROVIDER_SETTINGS[id as ProviderId];
			const required = Object.entries(described.settings).filter(([, setting]) => setting.required);
			expect([id, described.pkce]).toEqual([id, pkce]);
			expect([id, required.map(([name]) => name).sort()]).toEqual([id, Object.keys(options ?? {}).sort()]);
		}
	});

	it("names as authority only settings there are, and every setting that names a host", () => {
		for (const { authority, settings } of Object.values<ProviderSettings>(PROVIDER_SETTINGS)) {
			expect(Object.keys(settings)).toEqual(expect.arrayContaining(authority));
			const hosts = Object.entries(settings).filter(([, { kind }]) => kind === "host");
			expect(authority).toEqual(expect.arrayContaining(hosts.map(([name]) => name)));
		}
	});

	it("is what docs/providers.md says; `pnpm docs:providers` writes it anew", () => {
		expect(readFileSync(PROVIDER_DOCS, "utf8")).toBe(renderProviderDocs());
	});
});

describe.each(PROVIDERS)("%s", (providerId, expected) => {
	// threat 21
	it("starts with the tenant's client, the tenant's callback, its scopes and a state of its own", async () => {
		const world = await createStrictWorld();
		const [tenantId, neighbour] = [await world.newTenant(), await world.newTenant()];
		const url = await startWith(world, tenantId, providerId, expected.options);
		const sent = url.searchParams;

		expect(`${url.origin}${url.pathname}`).toBe(expected.at);
		expect(url.protocol).toBe("https:");
		expect([url.username, url.password, url.port]).toEqual(["", "", ""]);
		expect(sent.getAll(expected.clientParameter ?? "client_id")).toEqual([CLIENT_ID]);
		expect(sent.getAll("response_type")).toEqual([expected.responseType ?? "code"]);
		const callback = `${ORIGIN}/api/auth/tenant/callback/${providerId}`;
		expect(sent.getAll("redirect_uri")).toEqual([callback]);

		const scopes = sent.getAll("scope").flatMap((list) => list.split(/[ ,]/));
		expect(scopes.sort()).toEqual(expected.scopes === null ? [] : [...expected.scopes, EXTRA_SCOPE].sort());

		const again = new URL((await start(world, tenantId, providerId)).json.url).searchParams;
		const states = [sent.get("state") ?? "", again.get("state") ?? ""].map(readTag);
		for (const state of states) {
			expect(state?.tenantId).toBe(tenantId);
			expect(state?.value).toMatch(/^[A-Za-z0-9_-]{32,}$/);
		}
		expect(states[0]?.value).not.toBe(states[1]?.value);

		const challenges = [sent.get("code_challenge"), again.get("code_challenge")];
		if (expected.pkce) {
			expect(sent.getAll("code_challenge_method")).toEqual(["S256"]);
			expect(challenges.sort()).toEqual((await storedChallenges(world)).sort());
			expect(challenges[0]).not.toBe(challenges[1]);
		} else {
			expect(challenges).toEqual([null, null]);
			expect(sent.has("code_challenge_method")).toBe(false);
		}

		const missing = await start(world, neighbour, providerId);
		expect([missing.status, missing.code]).toEqual([404, "PROVIDER_NOT_FOUND"]);
	});
});

/** The challenges (RFC 7636, section 4.2) of the verifiers that wait for their callbacks. */
const storedChallenges = async (world: World): Promise<(string | null)[]> => {
	const rows = await world.database.query('select "value" from "verification"');
	return rows.map(({ value }) =>
		createHash("sha256")
			.update(JSON.parse(String(value)).codeVerifier)
			.digest("base64url"),
	);
};

describe("settings", () => {
	it("are taken in every value they can have, and leave credentials, callback and state alone", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		for (const { providerId, name, setting, id } of SETTINGS) {
			const values =
				setting.kind === "flag" ? [true, false] : setting.kind === "one-of" ? setting.values : [SAMPLES[id]];
			for (const value of values) {
				const url = await startWith(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
				const client = url.searchParams.get(expectedOf(providerId).clientParameter ?? "client_id");
				const callback = `${ORIGIN}/api/auth/tenant/callback/${providerId}`;
				expect([id, value, url.protocol, client]).toEqual([id, value, "https:", CLIENT_ID]);
				expect([callback, `${callback}/${tenantId}`]).toContain(url.searchParams.get("redirect_uri"));
				expect(readTag(url.searchParams.get("state") ?? "")?.tenantId).toBe(tenantId);
			}
		}
	});

	it("lead to the server they name", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const led: [string, Record<string, string>, string][] = [
			["gitlab", { issuer: "https://gitlab.example.com/" }, "https://gitlab.example.com/oauth/authorize"],
			["gitlab", { issuer: "https://Example.com:8443/git/lab/" }, "https://example.com:8443/git/lab/oauth/authorize"],
			["microsoft", { tenantId: "contoso.com" }, "https://login.microsoftonline.com/contoso.com/oauth2/v2.0/authorize"],
			[
				"microsoft",
				{ authority: "https://acme.ciamlogin.com/", tenantId: "acme.com" },
				"https://acme.ciamlogin.com/acme.com/oauth2/v2.0/authorize",
			],
			["paybin", { issuer: "https://idp.example.com/" }, "https://idp.example.com/oauth2/authorize"],
			["paypal", { environment: "sandbox" }, "https://www.sandbox.paypal.com/signin/authorize"],
			["salesforce", { environment: "sandbox" }, "https://test.salesforce.com/services/oauth2/authorize"],
			[
				"salesforce",
				{ loginUrl: "acme.my.salesforce.com" },
				"https://acme.my.salesforce.com/services/oauth2/authorize",
			],
			// pasted from the address bar
			[
				"salesforce",
				{ loginUrl: "https://acme.my.salesforce.com/" },
				"https://acme.my.salesforce.com/services/oauth2/authorize",
			],
			["cognito", { ...COGNITO, domain: "https://login.example.com" }, "https://login.example.com/oauth2/authorize"],
			["cognito", { ...COGNITO, region: "us-gov-west-1" }, `https://${COGNITO.domain}/oauth2/authorize`],
		];
		for (const [providerId, options, at] of led) {
			const url = await startWith(world, tenantId, providerId, options);
			expect([options, `${url.origin}${url.pathname}`]).toEqual([options, at]);
		}
	});

	it("are not kept where they say what holds without them, so that one authority has one spelling", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const stored = (providerId: string) =>
			world.database.query(`select "options" from "tenantOauthConfig" where "providerId" = '${providerId}'`);
		for (const { providerId, name, setting } of SETTINGS.filter(({ setting }) => setting.otherwise !== undefined)) {
			const plain = await startWith(world, tenantId, providerId, requiredOf(providerId));
			const said = await startWith(world, tenantId, providerId, {
				...requiredOf(providerId),
				[name]: setting.otherwise,
			});
			for (const url of [plain, said]) {
				for (const parameter of ["state", "code_challenge"]) url.searchParams.delete(parameter);
			}
			expect(said.href).toBe(plain.href);
			expect([providerId, name, await stored(providerId)]).toEqual([providerId, name, [{ options: null }]]);
		}
		await startWith(world, tenantId, "gitlab", { issuer: "https://GITLAB.com:443/" });
		expect(await stored("gitlab")).toEqual([{ options: null }]);
	});

	it("are refused when one that the provider needs is missing", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		for (const [providerId, { options }] of PROVIDERS) {
			for (const name of Object.keys(options ?? {})) {
				const { [name]: _missing, ...rest } = options ?? {};
				for (const given of [undefined, {}, rest]) await expectRefused(world, tenantId, providerId, given);
			}
		}
		expect(await world.database.query('select count(*) as n from "tenantOauthConfig"')).toEqual([{ n: 0 }]);
	});
});

// threat 23
describe("settings that were made up to reach another server", () => {
	/** None of these is a value of any setting. */
	const INJECTIONS = [
		"evil.com/",
		"x@evil.com",
		"../",
		"..",
		"a?b",
		"#",
		"a#b",
		"evil.com\\",
		"a%2fb",
		"a:b@evil.com",
		"//evil.com",
		"eu-central-1.evil.com/",
		"eu-central-1_Ab/../x",
		"a\nb",
		"a\tb",
		" ",
		"",
		"\u0000",
		"x".repeat(2001),
	];
	const OTHER_KINDS: unknown[] = [null, 1, {}, [], ["a"], { toString: "a" }];

	const isHost = ({ setting }: (typeof SETTINGS)[number]) => setting.kind === "host";
	it.each(SETTINGS.filter((setting) => !isHost(setting)))("are refused: $id", async ({ providerId, name, setting }) => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		for (const value of [...INJECTIONS, ...OTHER_KINDS, setting.kind === "flag" ? "true" : true]) {
			await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
		}
	});

	it.each(SETTINGS.filter(isHost))("are refused as a host: $id", async ({ providerId, name, setting }) => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const refused = [
			// of the others, these name a host of their own and a slash
			...INJECTIONS.filter((value) => !value.endsWith(".com/")),
			...OTHER_KINDS,
			"http://idp.example.com",
			"ftp://idp.example.com",
			"javascript:alert(1)",
			"data:text/html,x",
			"https://user@idp.example.com",
			"https://user:pass@idp.example.com",
			"https://idp.example.com?a=b",
			"https://idp.example.com?",
			"https://idp.example.com#a",
			"https://idp.example.com\\@evil.com",
			"https://idp.example.com/%2e%2e",
			" https://idp.example.com",
			"https://idp.example.com\n",
			"https://idp.example.com.",
			"https://intranet",
			"https://printer.local",
			"https://vault.internal",
			"https://nas.home.arpa",
			"https://localhost",
			"https://a.localhost",
			"https://127.0.0.1",
			"https://127.1",
			"https://2130706433",
			"https://0x7f000001",
			"https://0.0.0.0",
			"https://10.0.0.1",
			"https://192.168.0.1",
			"https://169.254.169.254",
			"https://[::1]",
			"https://[::ffff:127.0.0.1]",
			"https://[fd00::1]",
			"https://metadata.google.internal",
			"https://",
			"https:idp.example.com",
			"https:////idp.example.com",
			"https://idp.example.com//path",
			"https://idp.example.com:99999",
			...(setting.kind === "host" && setting.path ? [] : ["https://idp.example.com/path"]),
			// the engine would not put https:// before it
			...(setting.kind === "host" && setting.form === "url"
				? ["idp.example.com"]
				: ["127.0.0.1", "localhost:3000", "[::1]"]),
		];
		for (const value of refused) {
			await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
		}
	});

	it("may name private hosts, and nothing but hosts, where the application allows it", async () => {
		const world = await createWorld({ tenantAuth: { oauth: { allowPrivateHosts: true } } });
		const tenantId = await world.newTenant();
		const url = await startWith(world, tenantId, "gitlab", { issuer: "http://127.0.0.1:4000" });
		expect(url.origin).toBe("http://127.0.0.1:4000");
		for (const issuer of ["http://user@127.0.0.1", "http://127.0.0.1?a", "ftp://127.0.0.1", "javascript:alert(1)"]) {
			await expectRefused(world, tenantId, "gitlab", { issuer });
		}
	});

	// threat 22
	it("are refused under names that no provider takes", async () => {
		const world = await createStrictWorld();
		const tenantId = await world.newTenant();
		const never = {
			authorizationEndpoint: "https://evil.com/authorize",
			tokenEndpoint: "https://evil.com/token",
			redirectURI: "https://evil.com",
			clientId: "another",
			clientSecret: "another",
			clientAssertion: "another",
			scope: ["admin"],
			disableIdTokenSignIn: false,
			verifyIdToken: true,
			getUserInfo: "x",
			mapProfileToUser: "x",
			refreshAccessToken: "x",
			audience: "another",
			pkce: false,
			fields: ["x"],
			constructor: "x",
			toString: "x",
		};
		for (const [providerId] of PROVIDERS) {
			for (const [name, value] of Object.entries(never)) {
				await expectRefused(world, tenantId, providerId, { ...requiredOf(providerId), [name]: value });
			}
		}
		await expectRefused(world, tenantId, "cloudflare", { tokenEndpointAuthMethod: "none" });
		await expectRefused(world, tenantId, "dropbox", { accessType: "legacy" });
	});
});

const expectRefused = async (
	world: World,
	tenantId: string,
	providerId: string,
	options: Record<string, unknown> | undefined,
): Promise<void> => {
	const answer = await register(world, tenantId, providerId, options);
	expect([providerId, options, answer.status, answer.code]).toEqual([
		providerId,
		options,
		400,
		"INVALID_PROVIDER_OPTIONS",
	]);
};
