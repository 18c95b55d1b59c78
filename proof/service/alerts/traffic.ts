import { randomInt } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { MANAGEMENT_KEY } from "test-kit/load/management-key";
import { PASSWORD } from "test-kit/load/visitor";

/** Milliseconds between two rounds. */
const PAUSE = 300;
const PATIENCE_MS = 20_000;
const EMAIL = "ada@example.com";

type Sent = { body?: object; headers?: Record<string, string>; from?: string };

/** An address that the service believes from its trusted proxy. Each has its own rate limits. */
const someAddress = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`;

/** Users of one tenant who sign in, check their session and ask for a new password, a few each second. */
export const startTraffic = async (origin: string, publicURL: string) => {
	const send = (path: string, { body, headers, from = someAddress() }: Sent = {}): Promise<Response | null> =>
		fetch(`${origin}/api/auth${path}`, {
			method: body ? "POST" : "GET",
			headers: { origin: publicURL, "content-type": "application/json", "x-forwarded-for": from, ...headers },
			signal: AbortSignal.timeout(PATIENCE_MS),
			...(body ? { body: JSON.stringify(body) } : {}),
		}).then(
			async (response) => {
				await response.clone().arrayBuffer();
				return response;
			},
			() => null,
		);
	const created = await send("/tenant/create", {
		body: { name: "Acme", slug: "acme" },
		headers: { authorization: `Bearer ${MANAGEMENT_KEY}` },
	});
	if (created?.status !== 200) throw new Error(`no tenant: ${created?.status}`);
	const { id: tenantId } = (await created.json()) as { id: string };
	const credentials = { tenantId, email: EMAIL, password: PASSWORD };
	const signedUp = await send("/tenant/sign-up/email", { body: { ...credentials, name: "Ada" } });
	if (signedUp?.status !== 200) throw new Error(`no sign-up: ${signedUp?.status}`);
	const cookie = signedUp.headers
		.getSetCookie()
		.map((one) => one.split(";", 1)[0])
		.join("; ");
	const steps = {
		signIn: (from?: string) => send("/tenant/sign-in/email", { body: credentials, ...(from ? { from } : {}) }),
		check: (from?: string) => send("/get-session", { headers: { cookie }, ...(from ? { from } : {}) }),
		reset: () =>
			send("/request-password-reset", { body: { tenantId, email: EMAIL }, headers: { "x-tenant-id": tenantId } }),
	};
	let stopped = false;
	const underWay = new Set<Promise<unknown>>();
	const running = (async () => {
		while (!stopped) {
			for (const step of [steps.signIn(), steps.check(), steps.check(), steps.check(), steps.reset()]) {
				underWay.add(step);
				void step.finally(() => underWay.delete(step));
			}
			await wait(PAUSE);
		}
	})();
	return {
		...steps,
		someAddress,
		stop: async (): Promise<void> => {
			stopped = true;
			await running;
			await Promise.all(underWay);
		},
	};
};
