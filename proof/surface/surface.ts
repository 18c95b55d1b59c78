import { ORIGIN } from "test-kit/world";
import { PACKAGED_SERVER_ONLY, PACKAGED_SURFACE } from "./packaged-surface.ts";
import {
	body,
	callback,
	entry,
	link,
	type MakeInput,
	machine,
	management,
	member,
	open,
	query,
	type Row,
} from "./row.ts";

const NEW_PASSWORD = "a new password 123";
const targetUser = body(({ member: { id } }) => ({ userId: id }));
const organizationQuery = query(({ organizationId }) => ({ organizationId }));
const received = body(({ receivedInvitationId }) => ({ invitationId: receivedInvitationId }));
const social = body(() => ({ provider: "generic", callbackURL: "/home", disableRedirect: true }));
const account = body(({ socialId }) => ({ accountId: socialId }));
const providerReturn: MakeInput = ({ state }) => ({ params: { id: "generic" }, query: { code: "code", state } });

/** Every HTTP endpoint of the engine, with its expected kind and a plausible request. */
export const SURFACE: Record<string, Row> = {
	// the engine
	"/sign-in/social": entry(social),
	"/callback/:id": callback(providerReturn),
	"/get-session": member(),
	"/sign-out": { ...member(), endsDevice: true },
	"/sign-up/email": entry(
		body((side, { email }) => ({ name: "New", email: `new-${email}`, password: side.password, username: "brand_new" })),
	),
	"/sign-in/email": entry(body(({ password }, { email }) => ({ email, password }))),
	"/reset-password": link(body((_, { reset }) => ({ token: reset, newPassword: NEW_PASSWORD }))),
	"/reset-password/:token": link((_, { reset }) => ({ params: { token: reset }, query: { callbackURL: "/reset" } })),
	"/verify-password": member(body(({ password }) => ({ password }))),
	"/verify-email": link(query(({ verify }) => ({ token: verify }))),
	"/send-verification-email": open(body((_, { email }) => ({ email }))),
	"/change-email": member(body((_, { email }) => ({ newEmail: `new-${email}` }))),
	"/change-password": member(
		body(({ password }) => ({ currentPassword: password, newPassword: NEW_PASSWORD, revokeOtherSessions: true })),
	),
	"/update-session": member(body(({ organizationId }) => ({ activeOrganizationId: organizationId }))),
	"/update-user": member(body((_, { username }) => ({ name: "Renamed", username: `${username}_2` }))),
	"/delete-user": member(body((_, { remove }) => ({ token: remove }))),
	"/delete-user/callback": member(query((_, { remove }) => ({ token: remove }))),
	"/request-password-reset": entry(body((_, { email }) => ({ email }))),
	"/list-sessions": member(),
	"/revoke-session": member(body(({ member: { token } }) => ({ token }))),
	"/revoke-sessions": member(),
	"/revoke-other-sessions": member(),
	"/link-social": member(social),
	"/list-accounts": member(),
	"/unlink-account": member(account),
	"/refresh-token": member(account),
	"/get-access-token": member(account),
	"/account-info": member(query(({ socialId }) => ({ accountId: socialId }))),
	"/ok": entry(),
	"/error": entry(query(() => ({ error: "surface" }))),

	// tenants
	"/tenant/create": management(body(() => ({ name: "New", slug: "new-tenant" }))),
	"/tenant/get": management(query(({ tenantId }) => ({ id: tenantId }))),
	"/tenant/list": management(),
	"/tenant/update": management(body(({ tenantId }) => ({ tenantId, name: "Renamed" }))),
	"/tenant/delete": management(body(({ tenantId }) => ({ tenantId }))),
	"/tenant/impersonate": management(
		body(({ tenantId, member: { id } }) => ({ tenantId, userId: id, reason: "surface" })),
	),
	"/tenant/suspend": management(body(({ tenantId }) => ({ tenantId, reason: "surface" }))),
	"/tenant/archive": management(body(({ tenantId }) => ({ tenantId, reason: "surface" }))),
	"/tenant/restore": management(body(({ tenantId }) => ({ tenantId, reason: "surface" }))),
	"/tenant/import": management(body(({ tenantId }) => ({ id: tenantId, name: "New", slug: "new-tenant" }))),
	"/tenant/export-users": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/import-users": management(
		body(({ tenantId, member: { id } }, { email }) => ({
			tenantId,
			users: [{ id, name: "New", email: `new-${email}`, accounts: [{ providerId: "google", accountId: "new" }] }],
		})),
	),
	"/tenant/domain/add": management(body(({ tenantId }) => ({ tenantId, domain: "login.surface.example" }))),
	"/tenant/domain/list": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/domain/remove": management(body(({ tenantId }) => ({ tenantId, domain: "login.surface.example" }))),
	"/tenant/methods": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/current": { ...open(), publishesName: true },
	"/tenant/policy/get": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/policy/update": management(body(({ tenantId }) => ({ tenantId, policy: { minPasswordLength: 3 } }))),
	"/tenant/second-factor": member(),
	"/tenant/second-factor/challenge": member(),
	"/tenant/oauth-config/register": management(
		body(({ tenantId }) => ({ tenantId, providerId: "github", clientId: "client", clientSecret: "secret" })),
	),
	"/tenant/oauth-config/list": management(query(({ tenantId }) => ({ tenantId }))),
	"/tenant/oauth-config/delete": management(body(({ tenantId }) => ({ tenantId, providerId: "google" }))),
	"/tenant/oauth-config/test": management(
		body(({ tenantId }) => ({ tenantId, providerId: "google", callbackURL: "/settings" })),
	),
	"/tenant/sign-up/email": entry(
		body((side, { email }) => ({ name: "New", email: `new-${email}`, password: side.password })),
	),
	"/tenant/sign-in/email": entry(body(({ password }, { email }) => ({ email, password }))),
	"/tenant/sign-in/social": entry(body(() => ({ provider: "google", callbackURL: "/home", disableRedirect: true }))),
	"/tenant/callback/:id": callback(providerReturn),
	"/tenant/shared-callback/:id": callback(providerReturn),
	"/tenant/callback/:id/:tenant": callback((side, named) => ({
		...providerReturn(side, named),
		params: { id: "generic", tenant: side.tenantId },
	})),

	// admin
	"/admin/set-role": member(body(({ member: { id } }) => ({ userId: id, role: "admin" }))),
	"/admin/get-user": member(query(({ member: { id } }) => ({ id }))),
	"/admin/create-user": member(
		body((side, { email }) => ({ name: "Made", email: `made-${email}`, password: side.password })),
	),
	"/admin/update-user": member(body(({ member: { id } }) => ({ userId: id, data: { name: "Renamed" } }))),
	"/admin/list-users": member(
		query(({ tenantId }, { email }) => ({
			searchField: "email",
			searchOperator: "contains",
			searchValue: email.slice(0, 3),
			filterField: "tenantId",
			filterValue: tenantId,
		})),
	),
	"/admin/list-user-sessions": member(targetUser),
	"/admin/ban-user": member(body(({ member: { id } }) => ({ userId: id, banReason: "surface" }))),
	"/admin/unban-user": member(targetUser),
	"/admin/impersonate-user": member(targetUser),
	"/admin/stop-impersonating": { ...member(), caller: ({ impersonator }) => impersonator },
	"/admin/revoke-user-session": member(body(({ member: { token } }) => ({ sessionToken: token }))),
	"/admin/revoke-user-sessions": member(targetUser),
	"/admin/remove-user": member(targetUser),
	"/admin/set-user-password": member(body(({ member: { id } }) => ({ userId: id, newPassword: NEW_PASSWORD }))),
	"/admin/has-permission": member(body(({ member: { id } }) => ({ userId: id, permissions: { user: ["list"] } }))),

	// anonymous
	"/sign-in/anonymous": entry(),
	"/delete-anonymous-user": { ...member(), caller: ({ stranger }) => stranger },

	// device authorization
	"/device/code": open(body(() => ({ client_id: "surface" }))),
	"/device/token": machine(
		body(({ approvedDeviceCode }) => ({
			grant_type: "urn:ietf:params:oauth:grant-type:device_code",
			device_code: approvedDeviceCode,
			client_id: "surface",
		})),
	),
	"/device": {
		...member(query(({ unclaimedUserCode }) => ({ user_code: unclaimedUserCode }))),
		carriesCredential: true,
	},
	"/device/approve": member(body(({ userCode }) => ({ userCode }))),
	"/device/deny": member(body(({ userCode }) => ({ userCode }))),

	// email OTP
	"/email-otp/send-verification-otp": open(body((_, { email }) => ({ email, type: "sign-in" }))),
	"/email-otp/check-verification-otp": open(
		body((_, { email, otpVerify }) => ({ email, otp: otpVerify, type: "email-verification" })),
	),
	"/email-otp/verify-email": open(body((_, { email, otpVerify }) => ({ email, otp: otpVerify }))),
	"/sign-in/email-otp": entry(body((_, { email, otpSignIn }) => ({ email, otp: otpSignIn }))),
	"/email-otp/request-password-reset": open(body((_, { email }) => ({ email }))),
	"/forget-password/email-otp": open(body((_, { email }) => ({ email }))),
	"/email-otp/reset-password": open(
		body((_, { email, otpReset }) => ({ email, otp: otpReset, password: NEW_PASSWORD })),
	),
	"/email-otp/request-email-change": open(body((_, { email }) => ({ newEmail: `new-${email}` }))),
	"/email-otp/change-email": open(body(({ newEmail, newEmailOtp }) => ({ newEmail, otp: newEmailOtp }))),

	// JWT
	"/jwks": member(),
	"/token": member(),

	// magic link
	"/sign-in/magic-link": entry(body((_, { email }) => ({ email }))),
	"/magic-link/verify": link(query((_, { magic }) => ({ token: magic }))),

	// multi session
	"/multi-session/list-device-sessions": member(),
	"/multi-session/set-active": member(body(({ boss }) => ({ sessionToken: boss.token }))),
	"/multi-session/revoke": member(body(({ boss }) => ({ sessionToken: boss.token }))),

	// OAuth proxy, pop-up, One Tap
	"/oauth-proxy-callback": member(query(({ jwt }) => ({ callbackURL: "/home", profile: jwt }))),
	"/callback/:id/oauth-proxy": callback(({ jwt }) => ({
		params: { id: "generic" },
		query: { callbackURL: "/home", profile: jwt },
	})),
	"/oauth-popup/start": open(query(() => ({ provider: "generic", popupOrigin: ORIGIN, popupNonce: "nonce" }))),
	"/one-tap/callback": open(body(() => ({ idToken: "not-a-token" }))),

	// one-time token
	"/one-time-token/generate": member(),
	"/one-time-token/verify": machine(body(({ oneTime }) => ({ token: oneTime }))),

	// OpenAPI
	"/open-api/generate-schema": member(),
	"/reference": member(),

	// organization
	"/organization/create": member(body((side) => ({ name: "New", slug: "new-org", userId: side.member.id }))),
	"/organization/update": member(body(({ organizationId }) => ({ organizationId, data: { name: "Renamed" } }))),
	"/organization/delete": member(body(({ organizationId }) => ({ organizationId }))),
	"/organization/set-active": member(body(({ organizationId }) => ({ organizationId }))),
	"/organization/get-organization": member(organizationQuery),
	"/organization/get-full-organization": member(organizationQuery),
	"/organization/list": member(),
	"/organization/invite-member": member(
		body(({ organizationId, teamId }, { email }) => ({
			email: `new-${email}`,
			role: "member",
			organizationId,
			teamId,
		})),
	),
	"/organization/cancel-invitation": member(body(({ sentInvitationId }) => ({ invitationId: sentInvitationId }))),
	"/organization/accept-invitation": member(received),
	"/organization/get-invitation": member(query(({ receivedInvitationId }) => ({ id: receivedInvitationId }))),
	"/organization/reject-invitation": member(received),
	"/organization/list-invitations": member(organizationQuery),
	"/organization/get-active-member": member(),
	"/organization/check-slug": member(body(() => ({ slug: "shared-org" }))),
	"/organization/remove-member": member(
		body(({ memberId, organizationId }) => ({ memberIdOrEmail: memberId, organizationId })),
	),
	"/organization/update-member-role": member(
		body(({ memberId, organizationId }) => ({ memberId, organizationId, role: "admin" })),
	),
	"/organization/leave": member(body(({ organizationId }) => ({ organizationId }))),
	"/organization/list-user-invitations": member(),
	"/organization/list-members": member(organizationQuery),
	"/organization/get-active-member-role": member(
		query(({ organizationId, member: { id } }) => ({ organizationId, userId: id })),
	),
	"/organization/create-team": member(body(({ organizationId }) => ({ name: "New", organizationId }))),
	"/organization/list-teams": member(organizationQuery),
	"/organization/remove-team": member(body(({ teamId, organizationId }) => ({ teamId, organizationId }))),
	"/organization/update-team": member(
		body(({ teamId, organizationId }) => ({ teamId, data: { name: "Renamed", organizationId } })),
	),
	"/organization/set-active-team": member(body(({ teamId }) => ({ teamId }))),
	"/organization/list-user-teams": member(
		query(({ organizationId, member: { id } }) => ({ organizationId, userId: id })),
	),
	"/organization/list-team-members": member(query(({ teamId }) => ({ teamId }))),
	"/organization/add-team-member": member(
		body(({ teamId, organizationId, member: { id } }) => ({ teamId, organizationId, userId: id })),
	),
	"/organization/remove-team-member": member(
		body(({ teamId, organizationId, member: { id } }) => ({ teamId, organizationId, userId: id })),
	),
	"/organization/create-role": member(
		body(({ organizationId }) => ({ organizationId, role: "new-role", permission: { team: ["create"] } })),
	),
	"/organization/delete-role": member(body(({ organizationId, roleId }) => ({ organizationId, roleId }))),
	"/organization/list-roles": member(organizationQuery),
	"/organization/get-role": member(query(({ organizationId, roleId }) => ({ organizationId, roleId }))),
	"/organization/update-role": member(
		body(({ organizationId, roleId }) => ({ organizationId, roleId, data: { permission: { team: ["update"] } } })),
	),
	"/organization/has-permission": member(
		body(({ organizationId }) => ({ organizationId, permissions: { team: ["create"] } })),
	),

	// phone number
	"/sign-in/phone-number": entry(body(({ phone, password }) => ({ phoneNumber: phone, password }))),
	"/phone-number/send-otp": open(body(({ phone }) => ({ phoneNumber: phone }))),
	"/phone-number/verify": open(body(({ phone, phoneCode }) => ({ phoneNumber: phone, code: phoneCode }))),
	"/phone-number/request-password-reset": open(body(({ phone }) => ({ phoneNumber: phone }))),
	"/phone-number/reset-password": open(
		body(({ phone, phoneReset }) => ({ phoneNumber: phone, otp: phoneReset, newPassword: NEW_PASSWORD })),
	),

	// sign in with Ethereum
	"/siwe/nonce": open(),
	"/siwe/get-nonce": open(),
	"/siwe/verify": open(body(({ siwe }) => ({ message: siwe, signature: "0xsigned" }))),

	// two factors
	"/two-factor/enable": member(body(({ password }) => ({ password }))),
	"/two-factor/disable": member(body(({ password }) => ({ password }))),
	"/two-factor/get-totp-uri": member(body(({ password }) => ({ password }))),
	"/two-factor/verify-totp": member(body(({ bossFactor }) => ({ code: bossFactor.totp }))),
	"/two-factor/send-otp": member(),
	"/two-factor/verify-otp": member(body(({ secondFactorOtp }) => ({ code: secondFactorOtp }))),
	"/two-factor/verify-backup-code": member(body(({ carefulFactor }) => ({ code: carefulFactor.backupCode }))),
	"/two-factor/generate-backup-codes": member(body(({ password }) => ({ password }))),

	// username
	"/sign-in/username": entry(body(({ password }, { username }) => ({ username, password }))),
	"/is-username-available": open(body((_, { username }) => ({ username }))),

	...PACKAGED_SURFACE,
};

/** Entries of auth.api that are not served over HTTP, only to server code. */
export const SERVER_ONLY = [
	...PACKAGED_SERVER_ONLY,
	"addMember",
	"consumePhoneNumberOTP",
	"createVerificationOTP",
	"generateTOTP",
	"getVerificationOTP",
	"reencryptSecretsBatch",
	"setPassword",
	"signJWT",
	"verifyJWT",
	"viewBackupCodes",
].sort();
