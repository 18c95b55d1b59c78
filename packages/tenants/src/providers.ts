export { listOauthProviders, type OauthProvider, type OauthProviderOption } from "./oauth/provider-list.ts";
