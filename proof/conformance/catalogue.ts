import type { Check, Checks } from "./check.ts";
import { administrationChecks } from "./checks/administration.ts";
import { answerChecks } from "./checks/answers.ts";
import { atRestChecks } from "./checks/at-rest.ts";
import { callbackChecks } from "./checks/callback.ts";
import { choiceChecks } from "./checks/choices.ts";
import { emailChecks } from "./checks/email.ts";
import { invitationChecks } from "./checks/invitations.ts";
import { isolationChecks } from "./checks/isolation.ts";
import { lifecycleChecks } from "./checks/lifecycle.ts";
import { managementChecks } from "./checks/management.ts";
import { oauthConfigChecks } from "./checks/oauth-config.ts";
import { oauthConfigChangeChecks } from "./checks/oauth-config-changes.ts";
import { oauthConfigEndpointChecks } from "./checks/oauth-config-endpoints.ts";
import { oauthConfigTestChecks } from "./checks/oauth-config-test.ts";
import { ownCallbackChecks } from "./checks/own-callback.ts";
import { policyChecks } from "./checks/policy.ts";
import { refusalChecks } from "./checks/refusals.ts";
import { resolutionChecks } from "./checks/resolution.ts";
import { secondFactorChecks } from "./checks/second-factor.ts";
import { serviceChecks } from "./checks/service.ts";
import { socialChecks } from "./checks/social.ts";
import { tenantChoiceChecks } from "./checks/tenant-choices.ts";
import { tenantEndpointChecks } from "./checks/tenant-endpoints.ts";
import { tenantChecks } from "./checks/tenants.ts";
import { type StatementId, statementIds } from "./statements.ts";

/** All checks by statement. A statement without a check does not compile here. */
export const catalogue: Record<StatementId, Check> = {
	...serviceChecks,
	...tenantChecks,
	...tenantEndpointChecks,
	...managementChecks,
	...resolutionChecks,
	...emailChecks,
	...oauthConfigChecks,
	...oauthConfigEndpointChecks,
	...atRestChecks,
	...socialChecks,
	...callbackChecks,
	...isolationChecks,
	...answerChecks,
	...refusalChecks,
	...choiceChecks,
	...oauthConfigChangeChecks,
	...ownCallbackChecks,
	...oauthConfigTestChecks,
	...administrationChecks,
	...invitationChecks,
	...tenantChoiceChecks,
	...policyChecks,
	...lifecycleChecks,
	...secondFactorChecks,
};

const groups: Checks[] = [
	serviceChecks,
	tenantChecks,
	tenantEndpointChecks,
	managementChecks,
	resolutionChecks,
	emailChecks,
	oauthConfigChecks,
	oauthConfigEndpointChecks,
	atRestChecks,
	socialChecks,
	callbackChecks,
	isolationChecks,
	answerChecks,
	refusalChecks,
	choiceChecks,
	oauthConfigChangeChecks,
	lifecycleChecks,
	ownCallbackChecks,
	oauthConfigTestChecks,
	tenantChoiceChecks,
	policyChecks,
	administrationChecks,
	invitationChecks,
	secondFactorChecks,
];

/** Types are not checked when the suite runs, so this checks again that statements and checks match one to one. */
export const assertComplete = () => {
	const checked = groups.flatMap((group) => Object.keys(group));
	const stated = new Set<string>(statementIds);
	const complaints = [
		...statementIds.filter((id) => !checked.includes(id)).map((id) => `statement ${id} has no check`),
		...checked.filter((id) => !stated.has(id)).map((id) => `check ${id} has no statement`),
		...checked.filter((id, at) => checked.indexOf(id) !== at).map((id) => `statement ${id} has two checks`),
		...statementIds.filter((id, at) => statementIds.indexOf(id) !== at).map((id) => `statement ${id} exists twice`),
	];
	if (complaints.length > 0) throw new Error(complaints.join("\n"));
};
