import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { betterAuth } from "better-auth";
import { Browser } from "test-kit/browser";
import { served } from "test-kit/served";
import { createWorld, MANAGEMENT_KEY, ORIGIN, PASSWORD } from "test-kit/world";
import { type TenantAuthOptions, withTenants } from "../../../src/index.ts";

export const OLD = "Zk3v9qT1xW8rB5nM2pL7sD4gH6jC0yAe";
export const NEW = "b1Qm7yT4vKc2Xz9Lr5Ns8Wf3Gj6Hd0Pa";

type Secrets = { version: number; value: string }[];
const [one, two] = [
	{ version: 1, value: OLD },
	{ version: 2, value: NEW },
];

/** The configuration of the processes before and after each step of a rotation. */
const STEPS = { before: [one], added: [one, two], first: [two, one], removed: [two] } satisfies Record<string, Secrets>;
export type Step = keyof typeof STEPS;

/** The two configurations that run side by side while processes are restarted one by one. */
export const ROLLS: [Step, Step][] = [
	["before", "added"],
	["added", "first"],
	["first", "removed"],
];

export type Sent = {
	browser?: Browser;
	tenant?: string | undefined;
	body?: unknown;
	query?: Record<string, string>;
	headers?: Record<string, string>;
};

type RotationOptions = {
	/** created for each process */
	plugins?: () => BetterAuthPlugin[];
	engine?: Partial<BetterAuthOptions>;
};

/** A database with two tenants, and a process for each step of a rotation. */
export const createRotation = async ({ plugins = () => [], engine = {} }: RotationOptions = {}) => {
	const pluginsWith = (more: TenantAuthOptions = {}) =>
		withTenants(
			{
				management: { keys: [MANAGEMENT_KEY] },
				tenantCache: { maxAge: 60 },
				deletion: { drainTime: 0 },
				oauth: { allowPrivateHosts: true },
				...more,
			},
			plugins(),
		);
	const world = await createWorld({
		engine: { secret: OLD, secrets: STEPS.before, ...engine },
		allPlugins: pluginsWith(),
	});
	const [a, b] = [await world.newTenant("acme"), await world.newTenant("globex")];

	const open = (secrets: Secrets, more: TenantAuthOptions = {}) => {
		const { secret: _legacy, ...options } = world.options;
		const auth = served(betterAuth({ ...options, secrets, plugins: pluginsWith(more) }));
		const call = async (path: string, { browser, tenant, body, query, headers }: Sent = {}) => {
			const url = path.startsWith("http") ? new URL(path) : new URL(`${ORIGIN}/api/auth${path}`);
			for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
			const response = await auth.handler(
				new Request(url, {
					method: body === undefined ? "GET" : "POST",
					headers: {
						origin: ORIGIN,
						...(body === undefined ? {} : { "content-type": "application/json" }),
						...(tenant ? { "x-tenant-id": tenant } : {}),
						...(browser && browser.cookies.size > 0 ? { cookie: browser.header() } : {}),
						...headers,
					},
					body: body === undefined ? null : JSON.stringify(body),
				}),
			);
			browser?.take(response);
			const text = await response.text();
			return {
				status: response.status,
				headers: response.headers,
				cookies: response.headers.getSetCookie(),
				location: response.headers.get("location"),
				text,
				json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : null,
			};
		};
		return {
			auth,
			call,
			emailOf: async (browser: Browser, sent: Sent = {}): Promise<string | null> =>
				(await call("/get-session", { browser, ...sent })).json?.user.email ?? null,
			signUp: async (tenant: string | undefined, email: string): Promise<Browser> => {
				const browser = new Browser();
				const made = await call("/sign-up/email", {
					tenant,
					browser,
					body: { name: "Ada", email, password: PASSWORD },
				});
				if (made.status !== 200) throw new Error(`no sign-up: ${made.text}`);
				return browser;
			},
			signIn: (tenant: string | undefined, email: string, browser: Browser, more: Record<string, unknown> = {}) =>
				call("/sign-in/email", { tenant, browser, body: { email, password: PASSWORD, ...more } }),
		};
	};
	const opened = new Map<Step, ReturnType<typeof open>>();
	return {
		...world,
		a,
		b,
		open,
		/** the process of a step; the same each time */
		at: (step: Step): ReturnType<typeof open> => {
			const process = opened.get(step) ?? open(STEPS[step]);
			opened.set(step, process);
			return process;
		},
	};
};

export type Rotation = Awaited<ReturnType<typeof createRotation>>;

/** The full name of a cookie that ends like this. */
export const cookieNamed = (browser: Browser, ending: string): string => {
	const name = [...browser.cookies.keys()].find((key) => key.includes(ending));
	if (!name) throw new Error(`no cookie ${ending} in ${[...browser.cookies.keys()]}`);
	return name;
};
