import { type Command, InvalidArgumentError } from "commander";
import { type ClientOptions, clientCommand, notAsArgument, openClient } from "../client-command.ts";
import { readClientSecret } from "./client-secret.ts";
import { oauthConfigAnswer, oauthConfigText } from "./oauth-config.ts";

type Options = ClientOptions & {
	tenant: string;
	provider: string;
	clientId: string;
	clientSecretFile: string;
	scope?: string[];
	redirectUri?: string;
	disabled?: boolean;
	option?: Record<string, string | boolean>;
};

/** `oauth-config register` */
export const addOauthConfigRegister = (oauthConfig: Command): void => {
	clientCommand(oauthConfig, "register", {
		says: "Store a tenant's credentials for a provider. Existing scopes, redirect URI and options stay unless given",
		example: "oauth-config register --tenant ID --provider google --client-id … --client-secret-file google.secret",
	})
		.requiredOption("--tenant <id>", "the tenant's id")
		.requiredOption("--provider <provider>", "google, github, …: see docs/providers.md")
		.requiredOption("--client-id <id>", "the client id from the provider")
		.requiredOption("--client-secret-file <file>", "the file with the client secret; - reads stdin")
		.addOption(notAsArgument("--client-secret <secret>", "--client-secret-file"))
		.option("--scope <scope...>", "scopes to request in addition to the provider's defaults")
		.option("--redirect-uri <address>", "a custom redirect URI")
		.option("--disabled", "store the credentials without enabling them")
		.option("--option <key=value>", "a provider option, such as issuer=…; may be repeated", readOption)
		.action(async (options: Options) => {
			const body = {
				tenantId: options.tenant,
				providerId: options.provider,
				clientId: options.clientId,
				clientSecret: await readClientSecret(options.clientSecretFile),
				scopes: options.scope?.flatMap((scope) => scope.split(/[\s,]+/)).filter((scope) => scope !== ""),
				redirectURI: options.redirectUri,
				enabled: !options.disabled,
				options: options.option,
			};
			const { api, output } = openClient(options);
			const stored = await api.post("/tenant/oauth-config/register", {
				answer: oauthConfigAnswer,
				body,
				repeatable: true,
			});
			await output.result(stored, oauthConfigText(stored));
		});
};

const readOption = (given: string, before: Record<string, string | boolean> = {}): Record<string, string | boolean> => {
	const at = given.indexOf("=");
	if (at < 1) throw new InvalidArgumentError("Write it as key=value.");
	const value = given.slice(at + 1);
	// fromEntries defines the key instead of assigning it, so __proto__ reaches the server, which refuses it
	return Object.fromEntries([
		...Object.entries(before),
		[given.slice(0, at), value === "true" || value === "false" ? value === "true" : value],
	]);
};
