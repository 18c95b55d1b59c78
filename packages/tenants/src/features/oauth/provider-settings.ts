import type { socialProviders } from "better-auth/social-providers";

/** One setting that a tenant may set in `options`. Settings that are not described here never reach the engine. */
export type Setting = {
	/** description for the docs */
	says: string;
	/** the provider does not work without it */
	required?: true;
	/** the engine's default; setting this value is the same as setting none */
	otherwise?: string | boolean;
} & (
	| { kind: "flag" }
	| { kind: "one-of"; values: readonly string[] }
	/** The pattern is required: the engine puts some of these values into hosts and paths, and may add more. */
	| { kind: "text"; pattern: RegExp }
	/**
	 * A server that your server will call. `form: "name"`: the engine adds `https://`. `path`: the URL may have a path.
	 * `servedBy`: hosts that the provider operates. A tenant can choose such a host, but cannot run it.
	 */
	| { kind: "host"; form: "url" | "name"; path?: true; servedBy?: RegExp }
);

export type ProviderSettings = {
	name: string;
	/** whether the engine sends a code challenge (RFC 7636) */
	pkce: boolean;
	/** for the docs: where to enter the redirect URI, and what the provider calls the credentials */
	console: string;
	settings: Record<string, Setting>;
	/** defaults for tenants that differ from the engine's */
	defaults?: Record<string, string>;
	/** the settings that select the server or realm; with another value, the same subject is a different user */
	authority: string[];
};

const prompt: Setting = {
	kind: "one-of",
	values: ["select_account", "consent", "login", "none", "select_account consent"],
	says: "what the provider asks users who are already signed in there",
};

/**
 * The engine's built-in providers, each with every setting that a tenant may set besides client id, secret and scopes.
 *
 * Left out on purpose: functions, endpoints and redirectURI (a code could be sent elsewhere), settings that weaken a
 * flow (zoom's pkce, cloudflare's "none", dropbox's "legacy"), and settings that do not affect sign-in.
 */
export const PROVIDER_SETTINGS = {
	apple: {
		name: "Apple",
		pkce: true,
		console:
			"Identifiers, your Services ID, Sign in with Apple: Return URLs. Client id: the Services ID; client secret: a JWT signed with your key, valid for six months at most",
		settings: {
			appBundleIdentifier: {
				kind: "text",
				pattern: /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,153}[A-Za-z0-9])?$/,
				says: "bundle id of your app, to accept ID tokens issued to it",
			},
		},
		authority: [],
	},
	atlassian: {
		name: "Atlassian",
		pkce: true,
		console: "Developer console, your app, Authorization, OAuth 2.0 (3LO): Callback URL. Client ID and Secret",
		settings: { prompt },
		authority: [],
	},
	cloudflare: {
		name: "Cloudflare",
		pkce: true,
		console:
			"Manage Account, OAuth clients: redirect URL; grant the scope User Details Read. Client ID and client secret",
		settings: {
			tokenEndpointAuthMethod: {
				kind: "one-of",
				values: ["client_secret_basic", "client_secret_post"],
				otherwise: "client_secret_basic",
				says: "the client's Token Authentication Method",
			},
		},
		authority: [],
	},
	cognito: {
		name: "Amazon Cognito",
		pkce: true,
		console: "User pool, App clients, your client, Login pages: Allowed callback URLs. Client ID and Client secret",
		settings: {
			domain: {
				kind: "host",
				form: "name",
				required: true,
				servedBy: /\.amazoncognito\.com$/,
				says: "domain of the pool, such as `acme.auth.eu-central-1.amazoncognito.com`",
			},
			region: {
				kind: "text",
				pattern: /^[a-z]{2,4}(?:-[a-z]{2,12}){1,2}-\d{1,2}$/,
				required: true,
				says: "such as `eu-central-1`",
			},
			userPoolId: {
				kind: "text",
				pattern: /^[a-z0-9-]{1,34}_[A-Za-z0-9]{1,20}$/,
				required: true,
				says: "such as `eu-central-1_AbCdEfGhI`",
			},
			identityProvider: {
				kind: "text",
				pattern: /^\w[\w .-]{0,31}$/,
				says: "the pool's identity provider to redirect to directly",
			},
			prompt,
		},
		authority: ["domain", "region", "userPoolId"],
	},
	discord: {
		name: "Discord",
		pkce: false,
		console: "Developer Portal, your application, OAuth2: Redirects. Client ID and Client Secret",
		settings: {
			prompt: {
				kind: "one-of",
				values: ["none", "consent"],
				otherwise: "none",
				says: "whether users who already consented are asked again",
			},
		},
		authority: [],
	},
	dropbox: {
		name: "Dropbox",
		pkce: true,
		console: "App Console, your app, Settings, OAuth 2: Redirect URIs. App key and App secret",
		settings: {
			accessType: {
				kind: "one-of",
				values: ["offline", "online"],
				says: "`offline` also gets a refresh token",
			},
		},
		authority: [],
	},
	facebook: {
		name: "Facebook",
		pkce: false,
		console: "Your app, Facebook Login, Settings: Valid OAuth Redirect URIs. App ID and App secret",
		settings: {
			configId: {
				kind: "text",
				pattern: /^[A-Za-z0-9_-]{1,64}$/,
				says: "configuration of Facebook Login for Business",
			},
		},
		authority: [],
	},
	figma: {
		name: "Figma",
		pkce: true,
		console: "My apps, your app: redirect URL. Client ID and Client secret",
		settings: {},
		authority: [],
	},
	github: {
		name: "GitHub",
		pkce: true,
		console:
			"Settings, Developer settings, OAuth Apps: Authorization callback URL. Client ID and a client secret. A GitHub App also needs the permission to read email addresses",
		settings: { prompt },
		authority: [],
	},
	gitlab: {
		name: "GitLab",
		pkce: true,
		console:
			"Applications (of a user, a group or the instance): Redirect URI; scope read_user. Application ID and Secret",
		settings: {
			issuer: {
				kind: "host",
				form: "url",
				path: true,
				otherwise: "https://gitlab.com",
				says: "URL of a self-managed GitLab",
			},
		},
		authority: ["issuer"],
	},
	google: {
		name: "Google",
		pkce: true,
		console:
			"Google Cloud console, APIs & Services, Credentials, OAuth client ID (Web application): Authorized redirect URIs. Client ID and Client secret",
		settings: {
			hd: {
				kind: "text",
				pattern: /^(?:\*|[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?)$/,
				says: "accepts only users of this Workspace domain, or of any Workspace (`*`). Without it, every Google account can sign in",
			},
			accessType: { kind: "one-of", values: ["offline", "online"], says: "`offline` also gets a refresh token" },
			display: { kind: "one-of", values: ["page", "popup", "touch", "wap"], says: "how the sign-in page is displayed" },
			includeGrantedScopes: { kind: "flag", otherwise: true, says: "whether tokens include previously granted scopes" },
			prompt,
		},
		authority: [],
	},
	huggingface: {
		name: "Hugging Face",
		pkce: true,
		console: "Settings, Connected Apps, your OAuth app: Redirect URLs. Client ID and secret",
		settings: {},
		authority: [],
	},
	kakao: {
		name: "Kakao",
		pkce: false,
		console:
			"Kakao Developers, your app: Redirect URI of Kakao Login. Client id: the REST API key; client secret: Client secret",
		settings: {},
		authority: [],
	},
	kick: {
		name: "Kick",
		pkce: true,
		console: "Settings, Developer, your app: redirect URL. Client ID and Client Secret",
		settings: {},
		authority: [],
	},
	line: {
		name: "LINE",
		pkce: true,
		console: "LINE Developers Console, your LINE Login channel: Callback URL. Channel ID and Channel secret",
		settings: {},
		authority: [],
	},
	linear: {
		name: "Linear",
		pkce: false,
		console: "Settings, API, OAuth applications: Callback URLs. Client ID and Client secret",
		settings: {},
		authority: [],
	},
	linkedin: {
		name: "LinkedIn",
		pkce: false,
		console:
			"Your app, Auth: Authorized redirect URLs; add the product Sign In with LinkedIn using OpenID Connect. Client ID and Primary Client Secret",
		settings: {},
		authority: [],
	},
	microsoft: {
		name: "Microsoft",
		pkce: true,
		console:
			"Microsoft Entra admin center, App registrations, your app, Authentication, Web: Redirect URIs. Application (client) ID and the value of a client secret",
		settings: {
			tenantId: {
				kind: "text",
				// lower case, as in the issuer of its tokens, so a directory has only one spelling
				pattern: /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/,
				otherwise: "common",
				says: "whose accounts may sign in: a directory id or domain in lower case, `organizations`, `consumers`, or all of them (`common`)",
			},
			authority: {
				kind: "host",
				form: "url",
				otherwise: "https://login.microsoftonline.com",
				servedBy: /^login\.microsoftonline\.(?:com|us)$|\.(?:ciamlogin|b2clogin)\.com$/,
				says: "where users sign in, such as `https://acme.ciamlogin.com`",
			},
			disableProfilePhoto: { kind: "flag", says: "does not load the profile photo, which saves one call per sign-in" },
			prompt,
		},
		authority: ["authority", "tenantId"],
	},
	naver: {
		name: "Naver",
		pkce: false,
		console: "NAVER Developers, your application, API settings: Callback URL. Client ID and Client Secret",
		settings: {},
		authority: [],
	},
	notion: {
		name: "Notion",
		pkce: false,
		console: "My integrations, your public integration: Redirect URIs. OAuth client ID and OAuth client secret",
		settings: {},
		authority: [],
	},
	paybin: {
		name: "Paybin",
		pkce: true,
		console: "Paybin Portfolio, your OAuth application: Redirect URIs. Client ID and Client Secret",
		settings: {
			issuer: { kind: "host", form: "url", otherwise: "https://idp.paybin.io", says: "your OAuth server" },
			prompt,
		},
		authority: ["issuer"],
	},
	paypal: {
		name: "PayPal",
		pkce: true,
		console:
			"Developer Dashboard, Apps & Credentials, your app, Log in with PayPal: Return URL. Client ID and Secret. Select the scopes there: `scopes` has no effect",
		settings: {
			environment: {
				kind: "one-of",
				values: ["sandbox", "live"],
				otherwise: "live",
				says: "`sandbox` is for testing only: anyone can create users there",
			},
			prompt,
		},
		// the engine's default is the sandbox, where anyone can create users
		defaults: { environment: "live" },
		authority: ["environment"],
	},
	polar: {
		name: "Polar",
		pkce: true,
		console: "Settings, your OAuth client: Redirect URIs. Client ID and Client Secret",
		settings: { prompt },
		authority: [],
	},
	railway: {
		name: "Railway",
		pkce: true,
		console: "Developer Settings, your OAuth app (Web Application): redirect URL. Client ID and client secret",
		settings: {},
		authority: [],
	},
	reddit: {
		name: "Reddit",
		pkce: false,
		console:
			"Preferences, apps, your web app: redirect uri. Client id: the text below the app's name; client secret: secret",
		settings: {
			duration: {
				kind: "one-of",
				values: ["temporary", "permanent"],
				says: "`permanent` also gets a refresh token",
			},
		},
		authority: [],
	},
	roblox: {
		name: "Roblox",
		pkce: false,
		console: "Creator Dashboard, OAuth 2.0 Apps, your app: Redirect URLs. Client ID and client secret",
		settings: { prompt },
		authority: [],
	},
	salesforce: {
		name: "Salesforce",
		pkce: true,
		console:
			"Setup, External Client App Manager, your app, OAuth Settings: Callback URL. Consumer Key and Consumer Secret",
		settings: {
			environment: {
				kind: "one-of",
				values: ["production", "sandbox"],
				otherwise: "production",
				says: "which Salesforce login host to use",
			},
			loginUrl: {
				kind: "host",
				form: "name",
				servedBy: /\.salesforce\.com$/,
				says: "your own login domain, such as `acme.my.salesforce.com`; takes precedence over `environment`",
			},
		},
		authority: ["environment", "loginUrl"],
	},
	slack: {
		name: "Slack",
		pkce: false,
		console: "Your app, OAuth & Permissions: Redirect URLs (https only). Client ID and Client Secret",
		settings: {},
		authority: [],
	},
	spotify: {
		name: "Spotify",
		pkce: true,
		console: "Developer Dashboard, your app, Settings: Redirect URIs. Client ID and Client secret",
		settings: {},
		authority: [],
	},
	tiktok: {
		name: "TikTok",
		pkce: false,
		console:
			"TikTok for Developers, your app, Login Kit: Redirect URI (https only). Client key (enter it as `clientId`) and Client secret",
		settings: {},
		authority: [],
	},
	twitch: {
		name: "Twitch",
		pkce: false,
		console: "Developer Console, Applications: OAuth Redirect URLs. Client ID and Client Secret",
		settings: {},
		authority: [],
	},
	twitter: {
		name: "X (Twitter)",
		pkce: true,
		console:
			"Developer Portal, your app, User authentication settings: Callback URI. OAuth 2.0 Client ID and Client Secret",
		settings: {},
		authority: [],
	},
	vercel: {
		name: "Vercel",
		pkce: true,
		console: "Your app at Vercel: redirect URL. Client ID and client secret",
		settings: {},
		authority: [],
	},
	vk: {
		name: "VK",
		pkce: true,
		console: "VK ID, your app: trusted Redirect URL. Client id: the app's ID; client secret: its protected key",
		settings: {},
		authority: [],
	},
	wechat: {
		name: "WeChat",
		pkce: false,
		console:
			"WeChat Open Platform, your website application: the authorization callback domain (the domain alone). AppID and AppSecret",
		settings: {
			lang: { kind: "one-of", values: ["cn", "en"], otherwise: "cn", says: "language of the sign-in page" },
		},
		authority: [],
	},
	zoom: {
		name: "Zoom",
		pkce: true,
		console:
			"App Marketplace, your app: OAuth redirect URL. Client ID and Client Secret. Select the scopes there: `scopes` has no effect",
		settings: {},
		authority: [],
	},
} satisfies Record<keyof typeof socialProviders, ProviderSettings>;

/** The settings of a provider. Undefined if it is not described here. */
export const settingsOf = (providerId: string): ProviderSettings | undefined => {
	const described: Record<string, ProviderSettings> = PROVIDER_SETTINGS;
	return Object.hasOwn(described, providerId) ? described[providerId] : undefined;
};
