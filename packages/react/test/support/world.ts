import { passkey } from "@better-auth/passkey";
import { admin, emailOTP, magicLink, twoFactor, username } from "better-auth/plugins";
import { withTenants } from "better-auth-tenants";
import { tenantAdmin, tenantInvitations, tenantRoles } from "better-auth-tenants/admin";
import { tenantPolicy } from "better-auth-tenants/policy";
import { createWorld, MANAGEMENT_KEY, ORIGIN } from "test-kit/world";

type Post = { kind: string; to: string; secret: string };

/** Two tenants with every method that the components show. Globex allows passwords only. */
export const startWorld = async (origin: string, onFinished: (close: () => Promise<void>) => void) => {
	const post: Post[] = [];
	const send = (kind: string, to: string, secret: string): void => void post.push({ kind, to, secret });
	const world = await createWorld({
		onFinished,
		engine: {
			baseURL: origin,
			// the test's own calls
			trustedOrigins: [ORIGIN],
			emailAndPassword: {
				enabled: true,
				sendResetPassword: async ({ user, token }) => send("reset", user.email, token),
			},
			socialProviders: { github: { clientId: "github", clientSecret: "secret" } },
		},
		allPlugins: withTenants({ management: { keys: [MANAGEMENT_KEY] } }, [
			magicLink({ sendMagicLink: async ({ email, url }) => send("magic", email, url) }),
			emailOTP({ sendVerificationOTP: async ({ email, otp }) => send("otp", email, otp) }),
			username(),
			passkey({ rpID: "localhost", rpName: "Test", origin }),
			twoFactor({ otpOptions: { sendOTP: async ({ user, otp }) => send("factor", user.email, otp) } }),
			admin({ ...tenantRoles }),
			tenantAdmin(),
			tenantInvitations({
				acceptURL: `${origin}/invitation`,
				sendInvitation: async ({ email, token }) => send("invitation", email, token),
			}),
			tenantPolicy(),
		]),
	});
	const [acme, globex] = [await world.newTenant("acme"), await world.newTenant("globex")];
	const setPolicy = async (tenantId: string, policy: object): Promise<void> => {
		const { status, text } = await world.call("/tenant/policy/update", { operator: true, body: { tenantId, policy } });
		if (status !== 200) throw new Error(text);
	};
	await setPolicy(globex, { methods: ["password"] });
	const last = (kind: string): string => post.findLast((sent) => sent.kind === kind)?.secret ?? "nothing was sent";
	return { ...world, acme, globex, setPolicy, last };
};
