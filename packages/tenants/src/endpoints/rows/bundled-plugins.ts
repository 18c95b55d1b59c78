import type { EndpointTable } from "../endpoint.ts";

/** The endpoints of the plugins that are bundled with the engine. */
export const BUNDLED_ENDPOINTS: EndpointTable = {
	// admin
	"/admin/set-role": { kind: "member" },
	"/admin/get-user": { kind: "member" },
	"/admin/create-user": { kind: "member" },
	"/admin/update-user": { kind: "member" },
	"/admin/list-users": { kind: "member" },
	"/admin/list-user-sessions": { kind: "member" },
	"/admin/ban-user": { kind: "member" },
	"/admin/unban-user": { kind: "member" },
	"/admin/impersonate-user": { kind: "member", proves: "impersonation" },
	"/admin/stop-impersonating": { kind: "member" },
	"/admin/revoke-user-session": { kind: "member" },
	"/admin/revoke-user-sessions": { kind: "member" },
	"/admin/remove-user": { kind: "member" },
	"/admin/set-user-password": { kind: "member" },
	"/admin/has-permission": { kind: "member" },

	// anonymous
	"/sign-in/anonymous": { kind: "entry" },
	"/delete-anonymous-user": { kind: "member" },

	// device authorization
	"/device/code": { kind: "open" },
	"/device/token": { kind: "open", carries: "device" },
	"/device": { kind: "member", carries: "device" },
	"/device/approve": { kind: "member", approvesDevices: true },
	"/device/deny": { kind: "member" },

	// email OTP
	"/email-otp/send-verification-otp": { kind: "open", padsResponse: "unless-signing-in" },
	"/email-otp/check-verification-otp": { kind: "open" },
	"/email-otp/verify-email": { kind: "open" },
	"/sign-in/email-otp": { kind: "entry" },
	"/email-otp/request-password-reset": { kind: "open", padsResponse: "always" },
	"/forget-password/email-otp": { kind: "open", padsResponse: "always" },
	"/email-otp/reset-password": { kind: "open" },
	"/email-otp/request-email-change": { kind: "open", padsResponse: "always" },
	"/email-otp/change-email": { kind: "open" },

	// JWT
	"/jwks": { kind: "member" },
	"/token": { kind: "member", issuesTokens: true },

	// magic link
	"/sign-in/magic-link": { kind: "entry" },
	"/magic-link/verify": { kind: "link" },

	// multi session
	"/multi-session/list-device-sessions": { kind: "member" },
	"/multi-session/set-active": { kind: "member" },
	"/multi-session/revoke": { kind: "member" },

	// OAuth proxy, pop-up, One Tap
	"/oauth-proxy-callback": { kind: "member" },
	"/callback/:id/oauth-proxy": { kind: "callback" },
	"/oauth-popup/start": { kind: "open" },
	"/one-tap/callback": { kind: "open", provider: "google" },

	// one-time token
	"/one-time-token/generate": { kind: "member" },
	"/one-time-token/verify": { kind: "open", carries: "one-time-token" },

	// OpenAPI
	"/open-api/generate-schema": { kind: "member" },
	"/reference": { kind: "member" },

	// organization
	"/organization/create": { kind: "member" },
	"/organization/update": { kind: "member" },
	"/organization/delete": { kind: "member" },
	"/organization/set-active": { kind: "member" },
	"/organization/get-organization": { kind: "member" },
	"/organization/get-full-organization": { kind: "member" },
	"/organization/list": { kind: "member" },
	"/organization/invite-member": { kind: "member" },
	"/organization/cancel-invitation": { kind: "member" },
	"/organization/accept-invitation": { kind: "member" },
	"/organization/get-invitation": { kind: "member" },
	"/organization/reject-invitation": { kind: "member" },
	"/organization/list-invitations": { kind: "member" },
	"/organization/get-active-member": { kind: "member" },
	"/organization/check-slug": { kind: "member" },
	"/organization/remove-member": { kind: "member" },
	"/organization/update-member-role": { kind: "member" },
	"/organization/leave": { kind: "member" },
	"/organization/list-user-invitations": { kind: "member" },
	"/organization/list-members": { kind: "member" },
	"/organization/get-active-member-role": { kind: "member" },
	"/organization/create-team": { kind: "member" },
	"/organization/list-teams": { kind: "member" },
	"/organization/remove-team": { kind: "member" },
	"/organization/update-team": { kind: "member" },
	"/organization/set-active-team": { kind: "member" },
	"/organization/list-user-teams": { kind: "member" },
	"/organization/list-team-members": { kind: "member" },
	"/organization/add-team-member": { kind: "member" },
	"/organization/remove-team-member": { kind: "member" },
	"/organization/create-role": { kind: "member" },
	"/organization/delete-role": { kind: "member" },
	"/organization/list-roles": { kind: "member" },
	"/organization/get-role": { kind: "member" },
	"/organization/update-role": { kind: "member" },
	"/organization/has-permission": { kind: "member" },

	// phone number
	"/sign-in/phone-number": { kind: "entry", hashesPassword: true },
	"/phone-number/send-otp": { kind: "open" },
	"/phone-number/verify": { kind: "open" },
	"/phone-number/request-password-reset": { kind: "open" },
	"/phone-number/reset-password": { kind: "open" },

	// sign in with Ethereum
	"/siwe/nonce": { kind: "open" },
	"/siwe/get-nonce": { kind: "open" },
	"/siwe/verify": { kind: "open" },

	// two factors
	"/two-factor/enable": {
		kind: "member",
		answersChallenge: true,
		renewsSession: true,
		enrollsSecondFactor: true,
		showsAppName: true,
	},
	"/two-factor/disable": { kind: "member", answersChallenge: true, renewsSession: true, removesSecondFactor: true },
	"/two-factor/get-totp-uri": { kind: "member", answersChallenge: true, showsAppName: true },
	"/two-factor/verify-totp": {
		kind: "member",
		answersChallenge: true,
		proves: "second-factor",
		enrollsSecondFactor: true,
	},
	"/two-factor/send-otp": { kind: "member", answersChallenge: true, enrollsSecondFactor: true },
	"/two-factor/verify-otp": {
		kind: "member",
		answersChallenge: true,
		proves: "second-factor",
		enrollsSecondFactor: true,
	},
	"/two-factor/verify-backup-code": { kind: "member", answersChallenge: true, proves: "second-factor" },
	"/two-factor/generate-backup-codes": { kind: "member", answersChallenge: true },

	// username
	"/sign-in/username": { kind: "entry", hashesPassword: true },
	"/is-username-available": { kind: "open" },
};
