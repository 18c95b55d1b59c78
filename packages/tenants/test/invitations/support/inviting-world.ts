import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { withTenants } from "better-auth-tenants";
import {
	type InvitationMail,
	type InvitationOptions,
	tenantAdmin,
	tenantInvitations,
	tenantRoles,
} from "better-auth-tenants/admin";
import { Browser } from "test-kit/browser";
import type { DatabaseKind } from "test-kit/databases";
import { type Answer, type CallOptions, createWorld, MANAGEMENT_KEY, PASSWORD } from "test-kit/world";

type Given = {
	database?: DatabaseKind;
	redis?: boolean;
	engine?: Partial<BetterAuthOptions>;
	plugins?: BetterAuthPlugin[];
	invitations?: Partial<InvitationOptions>;
	management?: object;
	/** as in an application from before proofs removed passwords */
	keepUnprovenPasswords?: boolean;
};

/** Two tenants with invitations, and every invitation that was sent. */
export const invitingWorld = async ({
	plugins = [],
	invitations,
	management,
	keepUnprovenPasswords = false,
	...where
}: Given = {}) => {
	const sent: InvitationMail[] = [];
	const world = await createWorld({
		...where,
		allPlugins: withTenants(
			{
				management: { keys: [MANAGEMENT_KEY], ...management },
				keepUnprovenPasswords,
				tenantCache: { maxAge: 60 },
				deletion: { drainTime: 0 },
				oauth: { allowPrivateHosts: true },
			},
			[
				admin({ ...tenantRoles }),
				tenantAdmin(),
				tenantInvitations({
					acceptURL: "https://app.example.com/invitation?from=mail",
					sendInvitation: async (mail) => void sent.push(mail),
					...invitations,
				}),
				...plugins,
			],
		),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];

	const invite = (body: { tenantId: string; email: string; role?: string }, by: CallOptions = { operator: true }) =>
		world.call("/tenant/invitation/create", { ...by, body });
	/** Invites, and returns the token of the mail. */
	const tokenFor = async (tenantId: string, email: string, role?: string, by?: CallOptions): Promise<string> => {
		const answer = await invite({ tenantId, email, ...(role ? { role } : {}) }, by);
		if (answer.status !== 200) throw new Error(`not invited: ${answer.text}`);
		return sent.at(-1)?.token ?? "";
	};
	const accept = (token: string, options: CallOptions & { fields?: object } = {}): Promise<Answer> => {
		const { fields = { name: "Ada", password: PASSWORD }, ...call } = options;
		return world.call("/tenant/invitation/accept", { ...call, body: { token, ...fields } });
	};
	/** Accepts as the user who is signed in, with the password that they have. */
	const acceptAs = (browser: Browser, token: string, fields: object = { password: PASSWORD }): Promise<Answer> =>
		accept(token, { browser, fields });
	/** A signed-in user with a role, who came by an invitation. */
	const member = async (tenantId: string, email: string, role: string): Promise<Browser> => {
		const browser = new Browser();
		const answer = await accept(await tokenFor(tenantId, email, role), { browser });
		if (answer.status !== 200) throw new Error(`not accepted: ${answer.text}`);
		return browser;
	};
	const rows = async (table: string) => world.database.query(`select * from "${table}"`);
	const users = async () =>
		(await rows("user")).map(({ tenantId, email, role, emailVerified }) => ({
			tenantId,
			email,
			role,
			emailVerified: Boolean(emailVerified),
		}));
	return { ...world, a, b, sent, invite, tokenFor, accept, acceptAs, member, rows, users };
};

export type InvitingWorld = Awaited<ReturnType<typeof invitingWorld>>;

/** The status and the code of a response. */
export const outcome = ({ status, code }: Answer) => [status, code];
