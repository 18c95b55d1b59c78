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
		says: "Store a tenant's credentials for a provider, in place of those before",
		example: "oauth-config register --tenant ID --provider google --client-id … --client-secret-file google.secret",
	})
		.requiredOption("--tenant <id>", "the tenant's id")
		.requiredOption("--provider <provider>", "google, github, …: see docs/providers.md")
		.requiredOption("--client-id <id>", "the client id at the provider")
		.requiredOption("--client-secret-file <file>", "the file of the client secret; - reads stdin")
		.addOption(notAsArgument("--client-secret <secret>", "--client-secret-file"))
		.option("--scope <scope...>", "scopes to ask for besides the provider's usual ones")
		.option("--redirect-uri <address>", "a redirect URI of your own")
		.option("--disabled", "store them, and do not use them yet")
		.option(
			"--option <key=value>",
			"what else the provider takes, such as issuer=…; may be given several times",
			readOption,
		)
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
	// a copy with the key defined, not set: __proto__ is the server's to refuse
	return Object.fromEntries([
		...Object.entries(before),
		[given.slice(0, at), value === "true" || value === "false" ? value === "true" : value],
	]);
};
