export { listOauthProviders, type OauthProvider, type OauthProviderOption } from "./features/oauth/provider-list.ts";
