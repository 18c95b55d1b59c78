import { magicLink } from "better-auth/plugins";
import { Browser } from "test-kit/browser";
import { type Answer, PASSWORD } from "test-kit/world";
import { expect } from "vitest";
import { tenantInvitations } from "../../../src/admin.ts";
import { tenantPolicy } from "../../../src/policy.ts";
import { createAdministered } from "./administered.ts";
import { createGate } from "./gate.ts";

type Where = { database: "sqlite" | "postgres"; redis?: boolean; stored?: boolean };

/** A sign-in can be stopped right before its session is stored, when everything has been checked. */
export const createHeld = async ({ stored, ...where }: Where) => {
	let hold: (() => Promise<void>) | null = null;
	/** the tokens of the mails that were sent */
	const sent: string[] = [];
	const administered = await createAdministered({
		...where,
		plugins: [
			magicLink({ sendMagicLink: async ({ token }) => void sent.push(token) }),
			tenantPolicy(),
			tenantInvitations({
				acceptURL: "https://app.example.com/invitation",
				sendInvitation: async ({ token }) => void sent.push(token),
			}),
		],
		engine: {
			socialProviders: { google: { clientId: "google-client", clientSecret: "google-secret" } },
			...(stored ? { session: { storeSessionInDatabase: true } } : {}),
			databaseHooks: {
				session: {
					create: {
						before: async () => {
							const now = hold;
							hold = null;
							await now?.();
						},
					},
				},
			},
		},
	});
	const { world } = administered;
	/** Sends a request that stores a session, and does something else before it is stored. */
	const holdWhile = async (send: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> => {
		const [reached, released] = [createGate(), createGate()];
		hold = async () => {
			reached.open();
			await released.opened;
		};
		// not inside of the hook, which belongs to the request that waits
		const sending = send();
		await Promise.race([reached.opened, sending]);
		expect(hold).toBeNull();
		await meanwhile().finally(released.open);
		return sending;
	};
	const signInWhile = async (tenant: string, email: string, meanwhile: () => Promise<unknown>): Promise<Browser> => {
		const browser = new Browser();
		const body = { email, password: PASSWORD };
		await holdWhile(() => world.call("/sign-in/email", { tenant, browser, body }), meanwhile);
		return browser;
	};
	const isSignedIn = async (browser: Browser): Promise<boolean> =>
		Boolean((await world.call("/get-session", { browser: browser.copy() })).json?.session);
	const lastToken = (): string => sent.at(-1) ?? "";
	return { ...administered, holdWhile, signInWhile, isSignedIn, lastToken };
};

export type Held = Awaited<ReturnType<typeof createHeld>>;
