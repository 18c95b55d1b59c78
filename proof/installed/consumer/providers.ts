import { listOauthProviders, type OauthProvider } from "better-auth-tenants/providers";
import { same } from "./same.ts";

export const names: string[] = listOauthProviders().map(({ name }) => name);
export const github: OauthProvider["id"] = "github";
// @ts-expect-error there is no such provider
export const unknown: OauthProvider["id"] = "umbrella";
same<OauthProvider["allowsOwnServer"], boolean>(true);
