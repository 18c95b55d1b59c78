import type { Endpoint } from "./endpoints.ts";
import { NEVER, type Served, succeeded } from "./furnish.ts";
import { foreignInputs, ownInputs } from "./inputs.ts";
import type { TenantIsolationOptions } from "./options.ts";
import type { Attempt, Run } from "./run.ts";
import type { Call } from "./send.ts";
import { callerOf, type TenantIsolationInput, type TenantIsolationSide } from "./side.ts";

type AttackWith = {
	run: Run;
	attacker: TenantIsolationSide;
	victims: TenantIsolationSide[];
	served: Served;
	inputs: TenantIsolationOptions["inputs"];
	fresh: () => string;
};

/** Attacks one endpoint as the attacker, with all known values of the victims. */
export const attack = async (
	endpoint: Endpoint,
	{ run, attacker, victims, served, inputs, fresh }: AttackWith,
): Promise<void> => {
	const ownOf = (side: TenantIsolationSide) =>
		served.get(side)?.get(endpoint) ?? {
			input: ownInputs(endpoint, side, fresh, inputs)[0] ?? {},
			user: callerOf(side),
		};
	const {
		input: own,
		user: { headers: session },
	} = ownOf(attacker);
	const isServed = served.get(attacker)?.has(endpoint) ?? false;
	const ownCall = { endpoint, input: own, headers: session, hint: attacker };
	const ownHow = "session of A, its own input";
	// some requests work only once
	const worked = isServed && succeeded(await run.probe(ownCall, attacker, ownHow));

	const sent = new Set<string>();
	/** Without calls that were sent before: attacks are undone, so the same call again finds nothing new. */
	const unsent = (attempts: Attempt[]): Attempt[] =>
		attempts.filter(
			({ call }) => sent.size < sent.add(JSON.stringify([call.input, call.headers, call.hint?.tenantId])).size,
		);
	const attempt = (call: Omit<Call, "endpoint">, how: string): Attempt => ({ call: { endpoint, ...call }, how });
	const send = async (attempts: Attempt[], victim: TenantIsolationSide, caller = attacker): Promise<void> => {
		const answers = await run.probeAll(attempts, caller);
		if (!isServed) return;
		for (const [index, { call, how }] of attempts.entries()) {
			const answer = answers[index];
			if (!answer) continue;
			const { status, logged } = answer;
			if (!(await run.isJudged(answer, { call, how }, { caller, own: ownCall, attacker })))
				run.leaveOpen(call, how, answer);
			if (status < 500) continue;
			// an endpoint that fails for any invalid value is no leak
			const control = await run.probe({ ...call, input: scrambled(call.input, victim) }, caller, how);
			if (control.status < 500) run.report(call, how, `returns ${status}`, logged);
		}
	};

	for (const victim of victims) {
		const { label } = victim;
		const {
			input: theirs,
			user: { headers: theirSession },
		} = ownOf(victim);
		const asVictim = { endpoint, input: theirs, headers: theirSession, hint: victim };
		const after: [TenantIsolationInput, string][] = [[own, `session of A, after a request of ${label}`]];
		if (JSON.stringify(own) !== JSON.stringify(theirs))
			after.push([theirs, `session of A, the same request as ${label} just before`]);
		// a response to one tenant must not be cached for another
		for (const [input, how] of after) {
			if (!NEVER.has(endpoint.path ?? "")) await run.probe(asVictim, victim, `session of ${label}, its own input`);
			const attempts = [attempt({ input, headers: session, hint: attacker }, how)];
			unsent(attempts);
			await send(attempts, victim);
		}
		const most = label === "platform" ? 2 : 5;
		const foreign = foreignInputs(endpoint, attacker, victim, own, inputs, most);
		const strangers = foreign.filter(({ about }) => /everywhere$|input$/.test(about));
		await send(
			unsent([
				...foreign.map(({ input, about }) =>
					attempt({ input, headers: session, hint: attacker }, `session of A, ${about}`),
				),
				...strangers.map(({ input, about }) =>
					attempt({ input, headers: {}, hint: attacker }, `no session, in tenant A, ${about}`),
				),
			]),
			victim,
		);
		const both = [own, theirs];
		const withCookies = unsent(
			both.map((input) =>
				attempt({ input, headers: theirSession, hint: attacker }, `cookies of ${label}, in tenant A`),
			),
		);
		// a management endpoint acts for its caller, whatever tenant the request names: B's admin may manage B
		if (endpoint.kind !== "management") await send(withCookies, victim);
		else if (label !== "platform") await send(withCookies, victim, victim);
		// other kinds follow the hint: a signed-out user may send requests to any tenant
		if (endpoint.kind === "member" || endpoint.kind === "management")
			await send(
				unsent(both.map((input) => attempt({ input, headers: session, hint: victim }, `session of A, in ${label}`))),
				victim,
			);
	}
	if (!worked) return;
	// if the attacker can do nothing any more, the attacks prove nothing
	const after = await run.probe(ownCall, attacker, ownHow);
	if (!succeeded(after)) run.leaveOpen(ownCall, `${ownHow}, after the attacks`, after);
};

/** The same input, with the victim's values reversed. */
const scrambled = (input: TenantIsolationInput, victim: TenantIsolationSide): TenantIsolationInput => {
	const theirs = JSON.stringify([victim.rows, victim.users, victim.tenantId]);
	return JSON.parse(JSON.stringify(input), (_, value: unknown) =>
		typeof value === "string" && value.length >= 6 && theirs.includes(JSON.stringify(value).slice(1, -1))
			? [...value].reverse().join("")
			: value,
	);
};
