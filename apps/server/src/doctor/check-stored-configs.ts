import { describeFailure } from "./failure.ts";
import { type Finding, findingsOf } from "./finding.ts";
import type { Patient } from "./patient.ts";

const { ok, wrong, notChecked } = findingsOf("stored credentials");

/** The engine prefixes values encrypted with a versioned secret: $ba$2$… */
const VERSION = `case when "clientSecret" like '$ba$%' then split_part("clientSecret", '$', 3) else '' end`;

/** For each version: the number of configs, and one tenant that has one. */
const SEALED_BY = `select version, count(*)::int as configs, min("tenantId"::text) as tenant from (
	select ${VERSION} as version, "tenantId" from "tenantOauthConfig"
	join "tenant" on "tenant"."id" = "tenantOauthConfig"."tenantId" and "tenant"."status" = 'active'
) as sealed group by version order by version`;

type Sealed = { version: string; configs: number; tenant: string };

/**
 * Checks that the tenants' OAuth credentials can be decrypted. It reads one tenant per secret version, because all
 * values of a version need the same secret.
 */
export const checkStoredConfigs = async ({ config, pool, auth: open }: Patient): Promise<Finding[]> => {
	const auth = open();
	if (!auth || !pool || !config.secrets) return [notChecked("the configuration is incomplete")];
	let sealed: Sealed[];
	try {
		sealed = (await pool.query<Sealed>(SEALED_BY)).rows;
	} catch (error) {
		return [notChecked(`the database could not be queried: ${describeFailure(error).says}`)];
	}
	if (sealed.length === 0) return [ok("No tenant has its own credentials")];
	const findings: Finding[] = [];
	for (const { version, configs, tenant } of sealed) {
		const name = version === "" ? "a secret without a version" : `version ${version}`;
		const outcome = await opens(() => auth.api.listTenantOauthConfigs({ query: { tenantId: tenant } }));
		if (outcome === "opens") findings.push(ok(`${configs} encrypted with ${name}: decrypted those of one tenant`));
		else if (outcome === "sealed")
			findings.push(
				wrong(
					`${configs} encrypted with ${name} cannot be decrypted (tried tenant ${tenant})`,
					"Add the secret that encrypted them: AUTH_SECRETS=2:NEW,1:OLD. If it is lost, register the credentials again.",
				),
			);
		else findings.push(notChecked(`the credentials of tenant ${tenant} could not be read`));
	}
	return findings;
};

/** Called without a request, so no audit entry is written. */
const opens = async (read: () => Promise<{ readable: boolean }[]>): Promise<"opens" | "sealed" | "unknown"> => {
	try {
		return (await read()).every(({ readable }) => readable) ? "opens" : "sealed";
	} catch {
		return "unknown";
	}
};
