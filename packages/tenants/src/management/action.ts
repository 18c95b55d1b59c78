/**
 * What a caller can manage. `authorize` decides about each action, and `audit` receives it.
 *
 * @example
 * ```ts
 * const readOnly: ManagementAction[] = ["tenant:get", "tenant:list", "oauth-config:list"];
 * ```
 */
export type ManagementAction =
	| "tenant:create"
	| "tenant:get"
	| "tenant:list"
	| "tenant:update"
	| "tenant:delete"
	| "tenant:impersonate"
	| "tenant:import"
	| "user:export"
	| "user:import"
	| "user:list"
	| "user:get"
	| "user:create"
	| "user:set-role"
	| "user:ban"
	| "user:unban"
	| "user:reset-second-factor"
	| "user:end-sessions"
	| "user:remove"
	| "user:export-data"
	| "user:erase"
	| "tenant-domain:add"
	| "tenant-domain:list"
	| "tenant-domain:remove"
	| "oauth-config:register"
	| "oauth-config:list"
	| "oauth-config:delete"
	| "sso-provider:register"
	| "sso-provider:list"
	| "sso-provider:update"
	| "sso-provider:delete"
	| "sso-provider:verify-domain"
	| "scim-connection:create"
	| "scim-connection:list"
	| "scim-connection:rotate"
	| "scim-connection:revoke"
	| "scim-connection:delete"
	| "oauth-client:create"
	| "oauth-client:list"
	| "oauth-client:update"
	| "oauth-client:rotate"
	| "oauth-client:delete"
	| "invitation:create"
	| "invitation:list"
	| "invitation:resend"
	| "invitation:revoke";
