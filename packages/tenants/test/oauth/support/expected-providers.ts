import type { socialProviders } from "better-auth/social-providers";

export type ProviderId = keyof typeof socialProviders;

type Expected = {
	/** authorization endpoint */
	at: string;
	pkce: boolean;
	/** default scopes; null if the engine sends no scopes at all, not even the tenant's */
	scopes: string[] | null;
	/** parameter for the client id, if not client_id */
	clientParameter?: string;
	/** if not "code" */
	responseType?: string;
	/** required settings */
	options?: Record<string, string>;
};

export const COGNITO = {
	domain: "acme.auth.eu-central-1.amazoncognito.com",
	region: "eu-central-1",
	userPoolId: "eu-central-1_AbCdEfGhI",
};

const OIDC = ["openid", "email", "profile"];

/**
 * The expected authorization request of each provider. A provider that the engine adds fails to compile until it is
 * listed.
 */
export const EXPECTED = {
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

export const PROVIDERS = Object.entries<Expected>(EXPECTED);

export const expectedOf = (providerId: string): Expected => EXPECTED[providerId as ProviderId];
export const requiredOf = (providerId: string): Record<string, string> => expectedOf(providerId).options ?? {};
