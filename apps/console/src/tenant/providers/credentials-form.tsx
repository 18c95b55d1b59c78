import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { authClient } from "../../api/client.ts";
import { unwrap } from "../../api/problem.ts";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { CopyField } from "../../ui/copy.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { ErrorNotice } from "../../ui/notice.tsx";
import { say } from "../../ui/toasts.tsx";
import { useReload } from "../use-tenant.ts";
import { callbackURLsOf } from "./callback-url.ts";
import { callbackURLsQuery } from "./callback-urls-query.ts";
import type { OauthProvider } from "./known-providers.ts";
import { OptionField } from "./option-field.tsx";
import { type OptionValues, readOptions } from "./options.ts";

type Config = {
	clientId: string | null;
	scopes: string[] | null;
	redirectURI: string | null;
	callbackURLs: string[];
	enabled: boolean;
};

type CredentialsFormProps = {
	tenantId: string;
	providerId: string;
	provider: OauthProvider;
	config: Config | undefined;
	canChange: boolean;
};

/** What to enter at the provider, and what the provider gives. The stored secret is never shown: the service never sends it. */
export const CredentialsForm = ({ tenantId, providerId, provider, config, canChange }: CredentialsFormProps) => {
	const reload = useReload();
	const [options, setOptions] = useState<OptionValues>({});
	const [isBusy, setBusy] = useState(false);
	const [problem, setProblem] = useState<unknown>(null);
	const isUntouched = Object.keys(options).length === 0;
	const { data: ofTenant } = useQuery(callbackURLsQuery(tenantId));
	const isDecided = config !== undefined && (isUntouched || config.redirectURI !== null);
	const callbackURLs = isDecided ? config.callbackURLs : ofTenant && callbackURLsOf(ofTenant, provider, options);

	const save = async (form: FormData): Promise<void> => {
		const given = readOptions(provider.options, options);
		await unwrap(
			authClient.tenant.oauthConfig.register({
				tenantId,
				providerId,
				...readCredentials(form),
				...(Object.keys(given).length > 0 ? { options: given } : {}),
			}),
		);
		await reload();
		say(`The credentials for ${provider.name} are stored`);
	};
	const submit = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
		event.preventDefault();
		if (isBusy) return;
		setBusy(true);
		setProblem(null);
		await save(new FormData(event.currentTarget)).catch(setProblem);
		setBusy(false);
	};

	return (
		<form onSubmit={submit} className="grid gap-6">
			<Card title={`1. At ${provider.name}`} intro={withCode(provider.console)}>
				<CallbackURLs urls={callbackURLs} />
			</Card>
			<Card title="2. Credentials">
				<fieldset disabled={!canChange} className="grid gap-4">
					<ClientFields config={config} />
					{provider.options.map((option) => (
						<OptionField
							key={option.name}
							option={option}
							isStored={config !== undefined}
							value={options[option.name]}
							onChange={(value) => setOptions((now) => ({ ...now, [option.name]: value }))}
						/>
					))}
					<CheckField
						label="Users can sign in with it"
						name="enabled"
						defaultChecked={config?.enabled ?? true}
						hint="Turn it off to keep the credentials for later."
					/>
					{problem !== null && <ErrorNotice error={problem} />}
					{canChange && (
						<div>
							<Button type="submit" kind="primary" isBusy={isBusy}>
								{config ? "Save changes" : "Save credentials"}
							</Button>
						</div>
					)}
				</fieldset>
			</Card>
		</form>
	);
};

const CallbackURLs = ({ urls }: { urls: string[] | undefined }) => (
	<>
		{urls?.map((url) => (
			<CopyField
				key={url}
				label={urls.length > 1 ? `Callback URL at ${new URL(url).host}` : "Callback URL"}
				value={url}
			/>
		))}
		{urls?.length === 0 && (
			<p className="text-sm text-soft">
				The callback URL depends on the server that you name below. It appears here when the credentials are stored.
			</p>
		)}
	</>
);

const ClientFields = ({ config }: Pick<CredentialsFormProps, "config">) => (
	<>
		<TextField
			label="Client ID"
			name="clientId"
			defaultValue={config?.clientId ?? ""}
			maxLength={2000}
			autoComplete="off"
			spellCheck={false}
			required
		/>
		<TextField
			label="Client secret"
			name="clientSecret"
			type="password"
			autoComplete="new-password"
			maxLength={10_000}
			required
			hint={
				config
					? "A secret is stored. It is never shown. Enter it, or a new one, to save changes."
					: "It is stored encrypted and never shown again."
			}
		/>
		<TextField
			label="Scopes (optional)"
			name="scopes"
			defaultValue={config?.scopes?.join(" ") ?? ""}
			autoComplete="off"
			spellCheck={false}
			hint="Separated by spaces. If empty, the default scopes are requested."
		/>
	</>
);

const readCredentials = (form: FormData) => {
	const scopes = String(form.get("scopes"))
		.split(/[\s,]+/)
		.filter(Boolean);
	return {
		clientId: String(form.get("clientId")).trim(),
		clientSecret: String(form.get("clientSecret")),
		scopes: scopes.length > 0 ? scopes : null,
		enabled: form.get("enabled") === "on",
	};
};

/** The table of providers marks names of settings with backticks. */
const withCode = (text: string) =>
	text.split("`").map((part, at) =>
		at % 2 === 1 ? (
			<code key={part} className="font-mono text-xs">
				{part}
			</code>
		) : (
			part
		),
	);
