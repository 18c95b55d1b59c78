/** An action of your own endpoints, which `guardManagement` guards: what is managed, and what is done with it. */
type OwnAction = `${string}:${string}` & {};

/**
 * What a caller can manage: the actions of the package, and those of your own endpoints. `authorize` decides about each action, and
 * `audit` receives it.
 *
 * @example
 * ```ts
 * const readOnly: ManagementAction[] = ["tenant:get", "tenant:list", "oauth-config:list"];
 * ```
 */
export type ManagementAction =
	| OwnAction
	| "tenant:create"
	| "tenant:get"
	| "tenant:list"
	| "tenant:update"
	| "tenant:delete"
	| "tenant:impersonate"
	| "tenant:suspend"
	| "tenant:restore"
	| "tenant:archive"
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
	| "policy:get"
	| "policy:update"
	| "oauth-config:register"
	| "oauth-config:list"
	| "oauth-config:delete"
	| "oauth-config:test"
	| "sso-provider:register"
	| "sso-provider:list"
	| "sso-provider:update"
	| "sso-provider:delete"
	| "sso-provider:verify-domain"
	| "invitation:create"
	| "invitation:list"
	| "invitation:resend"
	| "invitation:revoke";
