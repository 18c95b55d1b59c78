import { apiKeySection } from "../src/config/api-key.ts";
import { consoleSection } from "../src/config/console.ts";
import { databaseSection } from "../src/config/database.ts";
import { deviceSection } from "../src/config/device.ts";
import { httpSection } from "../src/config/http.ts";
import { jobsSection } from "../src/config/jobs.ts";
import { limitsSection } from "../src/config/limits.ts";
import { mailSection } from "../src/config/mail.ts";
import { managementSection } from "../src/config/management.ts";
import { oauthProviderSection } from "../src/config/oauth-provider.ts";
import { observeSection } from "../src/config/observe.ts";
import { pagesSection } from "../src/config/pages.ts";
import { passkeySection } from "../src/config/passkey.ts";
import { pluginsSection } from "../src/config/plugins.ts";
import { policySection } from "../src/config/policy.ts";
import { redisSection } from "../src/config/redis.ts";
import { scimSection } from "../src/config/scim.ts";
import { secretsSection } from "../src/config/secrets.ts";
import { sessionSection } from "../src/config/session.ts";
import { smsSection } from "../src/config/sms.ts";
import { tenantInvitationsSection } from "../src/config/tenant-invitations.ts";
import { tenantsSection } from "../src/config/tenants.ts";
import { describeVariables, type Variable } from "./write-variables.ts";

/** The variables of the service, by what they are about. */
export const variableSections = (): { title: string; variables: Variable[] }[] =>
	Object.entries({
		HTTP: httpSection,
		Secrets: secretsSection,
		PostgreSQL: databaseSection,
		Redis: redisSection,
		Mail: mailSection,
		"Background jobs": jobsSection,
		Management: managementSection,
		Tenants: tenantsSection,
		"Policies of tenants": policySection,
		"Sign-in pages": pagesSection,
		Console: consoleSection,
		Plugins: pluginsSection,
		"Invitations to tenants": tenantInvitationsSection,
		"API keys": apiKeySection,
		"Device authorization": deviceSection,
		"OAuth provider": oauthProviderSection,
		Passkeys: passkeySection,
		"Text messages": smsSection,
		SCIM: scimSection,
		Sessions: sessionSection,
		Limits: limitsSection,
		"Logs, metrics and traces": observeSection,
	}).map(([title, { variables }]) => ({ title, variables: describeVariables(variables) }));
