/** What can be managed. `authorize` is asked about each, and `audit` told. */
export type ManagementAction =
	| "tenant:create"
	| "tenant:get"
	| "tenant:list"
	| "tenant:update"
	| "tenant:delete"
	| "tenant:enter"
	| "tenant:import"
	| "user:export"
	| "user:import"
	| "oauth-config:register"
	| "oauth-config:list"
	| "oauth-config:delete"
	| "sso-provider:register"
	| "sso-provider:list"
	| "sso-provider:update"
	| "sso-provider:delete"
	| "sso-provider:verify-domain";
