import { Browser } from "test-kit/browser";

export const PASSWORD = "correct horse battery";

type Call = { body?: unknown; browser?: Browser };

/** What a flow acts on: a way to send the n-th request, and users who signed up. */
export type Stage = {
	call: (number: number, path: string, call?: Call) => Promise<string>;
	users: { email: string; browser: Browser }[];
};

type Act = (stage: Stage, number: number) => Promise<void>;

const userAt = (users: Stage["users"], number: number) => {
	const user = users[number % users.length];
	if (!user) throw new Error("no user signed up");
	return user;
};

/** One request each. */
export const FLOWS = {
	"session check": async ({ call, users }, number) => {
		const text = await call(number, "/get-session", { browser: userAt(users, number).browser.copy() });
		if (text === "null") throw new Error("the session is gone");
	},
	"sign-in": async ({ call, users }, number) => {
		const { email } = userAt(users, number);
		await call(number, "/sign-in/email", { body: { email, password: PASSWORD } });
	},
	"sign-up": async ({ call }, number) => {
		const body = { name: "Ada", email: `new-${number}@example.com`, password: PASSWORD };
		await call(number, "/sign-up/email", { body });
	},
	"social start": async ({ call }, number) => {
		const body = { provider: "gitlab", callbackURL: "/home" };
		await call(number, "/sign-in/social", { browser: new Browser(), body });
	},
} satisfies Record<string, Act>;

export type FlowName = keyof typeof FLOWS;
export const FLOW_NAMES = [
	"session check",
	"sign-in",
	"sign-up",
	"social start",
] as const satisfies readonly FlowName[];
