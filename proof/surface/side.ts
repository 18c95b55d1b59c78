import { createHmac } from "node:crypto";
import { base32 } from "@better-auth/utils/base32";
import { runWithTenant } from "better-auth-tenants";
import { accountIdOf } from "better-auth-tenants/src/features/oauth/account-authority.ts";
import { Browser } from "test-kit/browser";
import type { Answer, CallOptions } from "test-kit/world";
import type { SurfaceWorld } from "./engine.ts";
import { furnishPackaged } from "./packaged-side.ts";

/** A marker in every text column that users fill, in the rows of the other tenants. */
export const MARK = "neighbor-7d41c9";

const SHARED = {
	email: "ada@example.com",
	invited: "carol@example.com",
	username: "ada_shared",
	phone: "+15550100",
	slug: "shared-org",
	wallet: "0x52908400098527886E0F7030069857D2E4169EE7",
};

/** Everything of one tenant (or the platform) that a request could name. */
export type Side = Awaited<ReturnType<typeof furnish>>;

type FurnishWith = { tenant: string | undefined; label: string; marked: boolean; bare?: boolean };

/**
 * Fills one tenant through the engine's endpoints: an admin who owns an organization, a member, a user with a second
 * factor, and one unused token of every kind. All tenants share their emails, usernames, phone numbers and slugs.
 */
export const furnish = async (world: SurfaceWorld, { tenant, label, marked, bare = false }: FurnishWith) => {
	const text = (name: string) => (marked ? `${MARK}-${label}-${name}` : `${label}-${name}`);
	const password = `password of ${label}`;
	const headers = { "user-agent": text("agent") };
	const call = async (path: string, options: CallOptions): Promise<Answer> => {
		const answer = await world.call(path, { tenant, headers, ...options });
		if (answer.status >= 400) throw new Error(`furnish ${label}: ${path} ${answer.status} ${answer.text}`);
		return answer;
	};
	const sent = (kind: string, to: string): string => {
		const found = world.outbox.findLast((message) => message.kind === kind && message.to === to);
		if (!found) throw new Error(`furnish ${label}: no ${kind} for ${to}`);
		return found.secret;
	};
	const signUp = async (email: string, more: object = {}) => {
		const browser = new Browser();
		const body = { name: text("name"), email, password, image: text("image"), ...more };
		const { json } = await call("/sign-up/email", { browser, body });
		return { browser, id: json.user.id as string, token: json.token as string, email };
	};
	const sql = (text: string) => world.database.query(text);
	// through the engine, which also stores users with their sessions in Redis
	const { internalAdapter, tables } = await world.auth.$context;
	const update = (id: string, data: object) =>
		bare
			? internalAdapter.updateUser(id, data)
			: runWithTenant(tenant ?? "platform", () => internalAdapter.updateUser(id, data));
	const inSide = bare ? "" : `and "tenantId" = '${tenant ?? "platform"}'`;

	const boss = await signUp(SHARED.email, { username: SHARED.username, displayUsername: SHARED.username });
	await update(boss.id, { role: "admin", emailVerified: true });
	const member = await signUp(`${text("bob")}@example.com`, { username: text("bob").replaceAll("-", "_") });
	await call("/phone-number/send-otp", { body: { phoneNumber: SHARED.phone } });
	await call("/phone-number/verify", {
		browser: boss.browser,
		body: { phoneNumber: SHARED.phone, code: sent("phone", SHARED.phone), updatePhoneNumber: true },
	});

	const organization = (
		await call("/organization/create", {
			browser: boss.browser,
			body: { name: text("organization"), slug: SHARED.slug, logo: text("logo"), metadata: { note: text("metadata") } },
		})
	).json;
	const asBoss = (path: string, body: object) => call(path, { browser: boss.browser, body });
	const organizationId: string = organization.id;
	const team = (await asBoss("/organization/create-team", { name: text("team"), organizationId })).json;
	await asBoss("/organization/create-role", { role: "shared-role", permission: { team: ["create"] }, organizationId });
	const invite = async (email: string): Promise<string> =>
		(await asBoss("/organization/invite-member", { email, role: "member", organizationId })).json.id;
	await update(member.id, { emailVerified: true });
	const accepted = await call("/organization/accept-invitation", {
		browser: member.browser,
		body: { invitationId: await invite(member.email) },
	});
	await asBoss("/organization/add-team-member", { teamId: team.id, userId: member.id, organizationId });
	await asBoss("/organization/add-team-member", { teamId: team.id, userId: boss.id, organizationId });
	const sentInvitationId = await invite(SHARED.invited);
	// the shared address is invited in every tenant: an invitation of one must not work with the other's session
	const second = { name: text("second"), slug: "second-org" };
	const inviting = (await call("/organization/create", { browser: member.browser, body: second })).json;
	const received = await call("/organization/invite-member", {
		browser: member.browser,
		body: { email: SHARED.email, role: "admin", organizationId: inviting.id },
	});

	// a user whose sign-in waits for the second factor
	const secondFactor = async (browser: Browser) => {
		const enabled = await call("/two-factor/enable", { browser, body: { password } });
		const secret = base32.decode(new URL(enabled.json.totpURI).searchParams.get("secret") ?? "");
		return {
			/** computed on use, because a sweep takes longer than a code is valid */
			get totp() {
				return totp(secret);
			},
			backupCode: enabled.json.backupCodes[0] as string,
		};
	};
	const careful = await signUp("careful@example.com");
	const carefulFactor = await secondFactor(careful.browser);
	await call("/two-factor/verify-totp", { browser: careful.browser, body: { code: carefulFactor.totp } });
	const waiting = new Browser();
	await call("/sign-in/email", { browser: waiting, body: { email: careful.email, password } });
	await call("/two-factor/send-otp", { browser: waiting, body: {} });
	const bossFactor = await secondFactor(boss.browser);

	// one unused token of every kind, for the shared address and for the tenant's own
	const tokensFor = async (email: string, browser: Browser) => {
		await call("/request-password-reset", { body: { email } });
		await call("/sign-in/magic-link", { body: { email } });
		for (const type of ["sign-in", "email-verification", "forget-password"]) {
			await call("/email-otp/send-verification-otp", { body: { email, type } });
		}
		await call("/delete-user", { browser, body: {} });
		return {
			reset: sent("reset", email),
			magic: sent("magic", email),
			remove: sent("delete", email),
			otpSignIn: sent("otp:sign-in", email),
			otpVerify: sent("otp:email-verification", email),
			otpReset: sent("otp:forget-password", email),
		};
	};
	const shared = await tokensFor(SHARED.email, boss.browser);
	const own = await tokensFor(member.email, member.browser);
	await call("/send-verification-email", { body: { email: careful.email } });
	const verify = sent("verify", careful.email);
	await call("/phone-number/send-otp", { body: { phoneNumber: SHARED.phone } });
	await call("/phone-number/request-password-reset", { body: { phoneNumber: SHARED.phone } });

	const oneTime = (await call("/one-time-token/generate", { browser: boss.browser })).json.token as string;
	const jwt = (await call("/token", { browser: boss.browser })).json.token as string;
	const unclaimed = (await call("/device/code", { body: { client_id: "surface" } })).json;
	const approved = (await call("/device/code", { body: { client_id: "surface" } })).json;
	await call("/device", { browser: boss.browser, query: { user_code: approved.user_code } });
	await call("/device/approve", { browser: boss.browser, body: { userCode: approved.user_code } });
	const device = (await call("/device/code", { body: { client_id: "surface", scope: text("scope") } })).json;
	await call("/device", { browser: boss.browser, query: { user_code: device.user_code } });

	const stranger = new Browser();
	await call("/sign-in/anonymous", { browser: stranger, body: {} });
	const impersonator = boss.browser.copy();
	// closed in the tenants of a world with companions
	if (!tenant || !("listTenantUsers" in world.auth.api))
		await call("/admin/impersonate-user", { browser: impersonator, body: { userId: member.id } });
	const newEmail = `new-${SHARED.email}`;
	await call("/email-otp/request-email-change", { browser: boss.browser, body: { newEmail } });

	const siweMessage = async (): Promise<string> => {
		const { nonce } = (await call("/siwe/nonce", { body: {} })).json;
		return [
			"localhost:3000 wants you to sign in with your Ethereum account:",
			SHARED.wallet,
			"",
			"Sign in",
			"",
			"URI: http://localhost:3000",
			"Version: 1",
			"Chain ID: 1",
			`Nonce: ${nonce}`,
			`Issued At: ${new Date().toISOString()}`,
		].join("\n");
	};
	await call("/siwe/verify", { body: { message: await siweMessage(), signature: "0xsigned" } });

	// a social account with tokens, and a flow in progress
	const socialId = `${label}-social-account-0123456789`;
	const at = new Date().toISOString();
	const [columns, values] = bare ? ["", ""] : [', "tenantId"', `, '${tenant ?? "platform"}'`];
	// as a sign-in stores it: in a tenant, an account id includes its authority
	const authority = JSON.stringify(["generic-oauth", "https://idp.example.com/authorize"]);
	const subject = tenant ? await accountIdOf("subject-shared", authority) : "subject-shared";
	await sql(
		`insert into "account" ("id", "accountId", "providerId", "userId", "accessToken", "refreshToken", "scope", "createdAt", "updatedAt"${columns}) values ('${socialId}', '${subject}', 'generic', '${boss.id}', '${text("access")}', '${text("refresh")}', '${text("scope")}', '${at}', '${at}'${values})`,
	);
	const flow = new Browser();
	const begun = await call("/sign-in/social", { browser: flow, body: { provider: "generic", callbackURL: "/home" } });
	const state = new URL(begun.json.url).searchParams.get("state") ?? "";

	const packaged = await furnishPackaged(world, { tenant, text, call, boss });

	await sql(`update "user" set "banReason" = '${text("ban")}' where 1 = 1 ${inSide}`);
	// on a slow machine a sweep takes longer than these are valid
	const later = new Date(Date.now() + 86_400_000).toISOString();
	for (const table of ["verification", "deviceCode"].filter((name) => name in tables)) {
		await sql(`update "${table}" set "expiresAt" = '${later}' where 1 = 1 ${inSide}`);
	}
	const roleId = String((await sql(`select "id" from "organizationRole" where 1 = 1 ${inSide}`))[0]?.id);
	/** An open invitation to the tenant, in a world with companions. The platform has none. */
	const inviteToTenant = async (name: string): Promise<{ id: string; token: string }> => {
		if (!tenant || !("createTenantInvitation" in world.auth.api)) return { id: "none", token: "none" };
		const email = `${text(name)}@example.com`;
		const { json } = await asBoss("/tenant/invitation/create", { tenantId: tenant, email });
		return { id: json.id, token: sent("tenant-invitation", email) };
	};

	return {
		tenantInvitations: {
			accepted: await inviteToTenant("accepted"),
			resent: await inviteToTenant("resent"),
			revoked: await inviteToTenant("revoked"),
		},
		tenantId: tenant ?? "platform",
		label,
		tenant,
		password,
		boss,
		member,
		/** the user named by an address, a username or an OTP */
		person: { email: SHARED.email, username: SHARED.username, ...shared },
		ownPerson: { email: member.email, username: text("bob").replaceAll("-", "_"), ...own },
		phone: SHARED.phone,
		phoneCode: sent("phone", SHARED.phone),
		phoneReset: sent("phone-reset", SHARED.phone),
		organizationId,
		memberId: accepted.json.member.id as string,
		teamId: team.id as string,
		roleId,
		sentInvitationId,
		receivedInvitationId: received.json.id as string,
		socialId,
		state,
		flow,
		waiting,
		stranger,
		impersonator,
		newEmail,
		newEmailOtp: sent("otp:change-email", newEmail),
		unclaimedUserCode: unclaimed.user_code as string,
		carefulFactor,
		bossFactor,
		secondFactorOtp: sent("second-factor", careful.email),
		verify,
		oneTime,
		jwt,
		approvedDeviceCode: approved.device_code as string,
		userCode: device.user_code as string,
		siwe: await siweMessage(),
		...packaged,
	};
};

/** RFC 6238 with SHA-1, 30 seconds and six digits. */
const totp = (secret: Uint8Array): string => {
	const step = Buffer.alloc(8);
	step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
	const mac = createHmac("sha1", secret).update(step).digest();
	const at = (mac[19] ?? 0) & 0x0f;
	return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
};
