import { PASSWORD } from "test-kit/load/visitor";

/** A request that stores something, with the longest values that are accepted, or longer ones. */
export type HostileRequest = { what: string; path: string; bodyOf: (unique: string) => object };

const LONG = "Z".repeat(900_000);
const long = (characters: number): string => LONG.slice(0, characters);

/** What a stranger may ask for, each with the largest values that the service stores. */
export const HOSTILE_REQUESTS: HostileRequest[] = [
	{
		what: "a social sign-in with 12 kB of additional data",
		path: "/sign-in/social",
		bodyOf: () => ({
			provider: "github",
			callbackURL: "/",
			disableRedirect: true,
			additionalData: { a: long(12_000) },
		}),
	},
	{
		what: "a social sign-in with 900 kB of additional data",
		path: "/sign-in/social",
		bodyOf: () => ({ provider: "github", callbackURL: "/", disableRedirect: true, additionalData: { a: LONG } }),
	},
	{
		what: "a sign-up with a picture of 8 kB",
		path: "/sign-up/email",
		bodyOf: (unique) => ({
			name: long(255),
			email: `${unique}@example.com`,
			password: PASSWORD,
			image: `https://example.com/${long(8_000)}`,
		}),
	},
	{
		what: "a magic link with a long name",
		path: "/sign-in/magic-link",
		bodyOf: (unique) => ({ email: `${unique}@example.com`, name: long(255), callbackURL: "/" }),
	},
	{
		what: "a mailed code",
		path: "/email-otp/send-verification-otp",
		bodyOf: (unique) => ({ email: `${long(50)}${unique}@example.com`, type: "sign-in" }),
	},
	{
		what: "a device code with a long scope",
		path: "/device/code",
		bodyOf: () => ({ client_id: "tv", scope: long(2_000) }),
	},
	{
		what: "a sign-in with an unknown address",
		path: "/sign-in/email",
		bodyOf: (unique) => ({ email: `${unique}@example.com`, password: PASSWORD }),
	},
	{
		what: "a password reset",
		path: "/request-password-reset",
		bodyOf: (unique) => ({ email: `${unique}@example.com`, redirectTo: "/" }),
	},
	{
		what: "a path that does not exist",
		path: "/invented",
		bodyOf: (unique) => ({ unique }),
	},
];
