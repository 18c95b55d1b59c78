import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";

const { ok, wrong, notChecked } = findingsOf("stored credentials");

/** What the engine writes before what it sealed with a versioned secret: $ba$2$… */
const VERSION = `case when "clientSecret" like '$ba$%' then split_part("clientSecret", '$', 3) else '' end`;

/** For each version that sealed something: how many, and one tenant that has such a config. */
const SEALED_BY = `select version, count(*)::int as configs, min("tenantId"::text) as tenant from (
	select ${VERSION} as version, "tenantId" from "tenantOauthConfig"
	join "tenant" on "tenant"."id" = "tenantOauthConfig"."tenantId" and "tenant"."status" = 'active'
) as sealed group by version order by version`;

type Sealed = { version: string; configs: number; tenant: string };

/**
 * Whether the OAuth credentials of tenants still open. One tenant of each secret's version is opened as the service would
 * do it: what one secret sealed opens with it or does not, so there is no need to open all of them.
 */
export const checkStoredConfigs = async ({ config, pool, auth: open }: Patient): Promise<Finding[]> => {
	const auth = open();
	if (!auth || !pool || !config.secrets) return [notChecked("the configuration is not complete")];
	let sealed: Sealed[];
	try {
		sealed = (await pool.query<Sealed>(SEALED_BY)).rows;
	} catch (error) {
		return [notChecked(`the database could not be asked: ${describeFailure(error).says}`)];
	}
	if (sealed.length === 0) return [ok("No tenant has credentials of its own")];
	const findings: Finding[] = [];
	for (const { version, configs, tenant } of sealed) {
		const name = version === "" ? "a secret without a version" : `version ${version}`;
		const outcome = await opens(() => auth.api.listTenantOauthConfigs({ query: { tenantId: tenant } }));
		if (outcome === "opens") findings.push(ok(`${configs} sealed with ${name}: one tenant's were opened`));
		else if (outcome === "sealed")
			findings.push(
				wrong(
					`${configs} sealed with ${name} do not open (tried those of tenant ${tenant})`,
					"Put the secret that sealed them back: AUTH_SECRETS=2:NEW,1:OLD. If it is lost, register them again.",
				),
			);
		else findings.push(notChecked(`those of tenant ${tenant} could not be read`));
	}
	return findings;
};

/** Server code without a request: the service's own question. */
const opens = async (read: () => Promise<unknown>): Promise<"opens" | "sealed" | "unknown"> => {
	try {
		await read();
		return "opens";
	} catch (error) {
		return codeOf(error) === "OAUTH_CONFIG_UNREADABLE" ? "sealed" : "unknown";
	}
};

const codeOf = (error: unknown): unknown => {
	const body = error instanceof Error && "body" in error ? error.body : null;
	return typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
};
