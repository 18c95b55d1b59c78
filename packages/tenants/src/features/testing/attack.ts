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

/** The request that a side sends to its own tenant. */
type OwnCall = Call & { hint: TenantIsolationSide };

/** Attacks one endpoint as the attacker, with all known values of the victims. */
export const attack = async (
	endpoint: Endpoint,
	{ run, attacker, victims, served, inputs, fresh }: AttackWith,
): Promise<void> => {
	const ownCallOf = (side: TenantIsolationSide): OwnCall => {
		const { input, user } = served.get(side)?.get(endpoint) ?? {
			input: ownInputs(endpoint, side, fresh, inputs)[0] ?? {},
			user: callerOf(side),
		};
		return { endpoint, input, headers: user.headers, hint: side };
	};
	const own = ownCallOf(attacker);
	const ownHow = "session of A, its own input";
	const isServed = served.get(attacker)?.has(endpoint) ?? false;
	// some requests work only once
	const worked = isServed && succeeded(await run.probe(own, attacker, ownHow));

	const sent = new Set<string>();
	const attacking: Attacking = {
		run,
		inputs,
		unsent: (attempts) =>
			attempts.filter(
				({ call }) => sent.size < sent.add(JSON.stringify([call.input, call.headers, call.hint?.tenantId])).size,
			),
		send: createSendAttacks(run, own, isServed),
	};
	for (const victim of victims) {
		const theirs = ownCallOf(victim);
		await attackAfterwards(own, theirs, attacking);
		await attackVictim(own, theirs, attacking);
	}
	if (!worked) return;
	// if the attacker can do nothing any more, the attacks prove nothing
	const after = await run.probe(own, attacker, ownHow);
	if (!succeeded(after)) run.leaveOpen(own, `${ownHow}, after the attacks`, after);
};

type Attacking = Pick<AttackWith, "run" | "inputs"> & {
	/** without calls that were sent before: attacks are undone, so the same call again finds nothing new */
	unsent: (attempts: Attempt[]) => Attempt[];
	send: ReturnType<typeof createSendAttacks>;
};

/** Creates the function that sends attacks and finds out which of them say nothing. */
const createSendAttacks =
	(run: Run, own: OwnCall, isServed: boolean) =>
	async (attempts: Attempt[], victim: TenantIsolationSide, caller = own.hint): Promise<void> => {
		const answers = await run.probeAll(attempts, caller);
		if (!isServed) return;
		for (const [index, { call, how }] of attempts.entries()) {
			const answer = answers[index];
			if (!answer) continue;
			const { status, logged } = answer;
			if (!(await run.isJudged(answer, { call, how }, { caller, own, attacker: own.hint })))
				run.leaveOpen(call, how, answer);
			if (status < 500) continue;
			// an endpoint that fails for any invalid value is no leak
			const control = await run.probe({ ...call, input: scrambled(call.input, victim) }, caller, how);
			if (control.status < 500) run.report(call, how, `returns ${status}`, logged);
		}
	};

/** Sends the attacker's requests right after one of the victim: a response to one tenant must not be cached for another. */
const attackAfterwards = async (own: OwnCall, theirs: OwnCall, { run, unsent, send }: Attacking): Promise<void> => {
	const victim = theirs.hint;
	const { label } = victim;
	const after: [TenantIsolationInput, string][] = [[own.input, `session of A, after a request of ${label}`]];
	if (JSON.stringify(own.input) !== JSON.stringify(theirs.input))
		after.push([theirs.input, `session of A, the same request as ${label} just before`]);
	for (const [input, how] of after) {
		if (!NEVER.has(own.endpoint.path ?? "")) await run.probe(theirs, victim, `session of ${label}, its own input`);
		const attempts = [{ call: { ...own, input }, how }];
		unsent(attempts);
		await send(attempts, victim);
	}
};

/** Sends values, cookies and the name of the victim. */
const attackVictim = async (own: OwnCall, theirs: OwnCall, { inputs, unsent, send }: Attacking): Promise<void> => {
	const { kind } = own.endpoint;
	const victim = theirs.hint;
	const { label } = victim;
	await send(unsent(withForeignValues(own, victim, inputs)), victim);
	const both = [own.input, theirs.input];
	const withCookies = unsent(
		both.map((input) => ({
			call: { ...own, input, headers: theirs.headers },
			how: `cookies of ${label}, in tenant A`,
		})),
	);
	// a management endpoint acts for its caller, whatever tenant the request names: B's admin may manage B
	if (kind !== "management") await send(withCookies, victim);
	else if (label !== "platform") await send(withCookies, victim, victim);
	// other kinds follow the hint: a signed-out user may send requests to any tenant
	if (kind === "member" || kind === "management")
		await send(
			unsent(both.map((input) => ({ call: { ...own, input, hint: victim }, how: `session of A, in ${label}` }))),
			victim,
		);
};

const withForeignValues = (
	own: OwnCall,
	victim: TenantIsolationSide,
	inputs: TenantIsolationOptions["inputs"],
): Attempt[] => {
	const most = victim.label === "platform" ? 2 : 5;
	const foreign = foreignInputs(own.endpoint, own.hint, victim, own.input, inputs, most);
	const strangers = foreign.filter(({ about }) => /everywhere$|input$/.test(about));
	return [
		...foreign.map(({ input, about }) => ({ call: { ...own, input }, how: `session of A, ${about}` })),
		...strangers.map(({ input, about }) => ({
			call: { ...own, input, headers: {} },
			how: `no session, in tenant A, ${about}`,
		})),
	];
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
