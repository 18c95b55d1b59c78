import { Browser } from "test-kit/browser";
import type { Credential } from "../beliefs.ts";
import { type Answer, isOk } from "../call.ts";
import type { Model } from "../model.ts";
import { present } from "../present.ts";
import type { Plan } from "../step.ts";
import type { Ticket } from "../ticket.ts";

const hasUser = (answer: Answer): boolean => isOk(answer) && answer.json?.user?.id !== undefined;

type Held = { browser: Browser } | { token: string };

/** A session that a request made with another credential. */
export const addSession = (model: Model, by: Credential, held: Held, { began }: Ticket): Credential => {
	const as = "browser" in held ? { browser: held.browser, secret: "" } : { browser: null, secret: held.token };
	const session: Credential = { kind: "session", person: by.person, began, by, ...as };
	model.add(session);
	return session;
};

export const signIn: Plan = ({ model, world, roll }) => {
	const person = model.anyPerson(roll);
	const password = person && model.pick(person, "password", roll);
	if (!person || !password) return null;
	const browser = new Browser();
	const body = { email: person.email, password: password.secret };
	return {
		name: "sign in",
		right: { credential: password, role: "member" },
		about: person,
		allowsPending: true,
		send: () => world.call("/sign-in/email", { tenant: person.tenant.id, browser, body }),
		settle: ({ json }, ticket) => {
			if (json.user) addSession(model, password, { browser }, ticket);
			else model.add({ kind: "challenge", person, began: ticket.began, by: password, secret: "", browser });
		},
	};
};

/** What a user does: a path, and a body if it writes. */
const USES: [string, ((number: number) => object) | null][] = [
	["/get-session", null],
	["/list-sessions", null],
	["/update-user", (number) => ({ name: `Name ${number}` })],
	["/update-user", (number) => ({ username: `user_${number}` })],
];

const useOf =
	(kind: "session" | "key", uses: typeof USES): Plan =>
	({ model, world, roll }) => {
		const person = model.anyPerson(roll);
		const credential = person && model.pick(person, kind, roll);
		const use = roll.pick(uses);
		if (!credential || !use) return null;
		const [path, bodyOf] = use;
		const body = bodyOf?.(model.nextName());
		const call = { ...present(credential), ...(body ? { body } : {}) };
		return {
			name: `${path} with ${kind === "key" ? "an API key" : "a session"}`,
			right: { credential, role: "member" },
			about: credential.person,
			reads: !body,
			allowsPending: kind === "session" && path === "/get-session",
			send: () => world.call(path, call),
			...(path === "/get-session" ? { succeeded: hasUser } : {}),
		};
	};

export const useSession = useOf("session", USES);

export const useKey = useOf(
	"key",
	USES.filter(([path]) => path !== "/list-sessions"),
);
