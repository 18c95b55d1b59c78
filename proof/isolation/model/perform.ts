import { PLATFORM } from "better-auth-tenants/src/scope/pin/platform.ts";
import { createOwners } from "./artifacts.ts";
import type { Catalogue } from "./catalogue.ts";
import { isRefusal } from "./expectations.ts";
import type { Answer } from "./http.ts";
import type { Operation } from "./operation.ts";
import { createAnswerOracle } from "./oracle-answers.ts";
import type { ChangedRow } from "./oracle-rows.ts";
import { rollWith } from "./roll.ts";
import type { Model } from "./state.ts";
import type { Step } from "./step.ts";
import { AT_ONCE, type World } from "./world.ts";

/** Data that crossed a tenant boundary, or a response that the model cannot explain. */
export type Leak = {
	kind: "answer" | "row" | "key" | "model";
	command: string;
	message: string;
	/** the number of the operation, and its round */
	operation: number;
	round: number;
	request: string;
};

export class LeakFound extends Error {
	readonly leak: Leak;
	constructor(leak: Leak) {
		super(`${leak.kind}: ${leak.command}: ${leak.message}`);
		this.leak = leak;
	}
}

type Done = { step: Step; answer: Answer; operation: number };

/** Runs operations and checks each with every oracle. */
export const createPerformer = ({
	model,
	world,
	catalogue,
	failFast,
	operations: most,
}: {
	model: Model;
	world: World;
	catalogue: Catalogue;
	failFast: boolean;
	/** the maximum number of operations */
	operations: number;
}) => {
	const owners = createOwners();
	const answers = createAnswerOracle(owners);
	const leaks: Leak[] = [];
	const byCommand: Record<string, { sent: number; succeeded: number }> = {};
	const count = { replays: 0, rowsChanged: 0, keysTouched: 0 };
	let round = 0;

	const report = ({ step, operation }: Done, kind: Leak["kind"], message: string): void => {
		const request = JSON.stringify({ ...step.request, cookies: [...(step.request.cookies ?? [])] });
		const leak: Leak = { kind, command: step.name, message, operation, round, request };
		leaks.push(leak);
		if (failFast) throw new LeakFound(leak);
	};

	const send = async (step: Step): Promise<Done> => {
		const operation = ++model.operations;
		return { step, operation, answer: await world.http.send(step.request) };
	};

	/** The tenants whose rows these operations may change together. */
	const changeable = (done: Done[]): Set<string> =>
		new Set(
			done.flatMap(({ step, answer }) => {
				if (isRefusal(answer) && step.mayChange === undefined && step.scope === "all") return [];
				return (step.mayChange ?? (step.scope === "all" ? [] : [step.scope])).map(({ id }) => id || idIn(answer));
			}),
		);

	const checkRow = (row: ChangedRow, done: Done[], allowed: Set<string>, serials: Map<string, number>): void => {
		const owner = row.after ?? row.before ?? "";
		const [first] = done;
		if (!first) return;
		const serial = serials.get(owner);
		if (serial !== undefined) owners.claim(row.id, serial);
		const said = `${row.op.toLowerCase()} in ${row.table} of tenant ${serial ?? owner}`;
		if (row.before !== null && row.after !== null && row.before !== row.after)
			report(first, "row", `${said}: it was ${row.before}'s`);
		// the engine deletes expired tokens on every lookup
		const sweeps =
			row.table === "verification" &&
			row.op === "DELETE" &&
			done.some(({ step }) => step.scope !== "all" && step.scope.id === owner);
		if (!allowed.has(owner) && !sweeps)
			report(first, "row", `${said} by ${done.map(({ step }) => step.name).join(", ")}`);
	};

	const checkWrites = async (done: Done[]): Promise<void> => {
		const [first] = done;
		if (!first) return;
		const allowed = changeable(done);
		const serials = new Map([...model.tenants, ...model.gone].map(({ id, serial }) => [id, serial]));
		for (const { step, answer } of done)
			if (step.scope !== "all" && step.scope.id === "") serials.set(idIn(answer), step.scope.serial);
		const rows = await world.rows.changed();
		count.rowsChanged += rows.length;
		for (const row of rows) checkRow(row, done, allowed, serials);
		const touched = (await world.keys?.touched()) ?? [];
		count.keysTouched += touched.length;
		const scopes = new Set(done.flatMap(({ step }) => (step.scope === "all" ? [] : [step.scope.id])));
		for (const { command, key, tenantId, writes } of touched) {
			if (!writes || scopes.has(tenantId) || allowed.has(tenantId)) continue;
			report(
				first,
				"key",
				`${command} ${key.slice(0, 60)} of ${tenantId} by ${done.map(({ step }) => step.name).join(", ")}`,
			);
		}
	};

	const checkAnswer = async (one: Done): Promise<void> => {
		const { step, answer } = one;
		const counted = byCommand[step.name] ?? { sent: 0, succeeded: 0 };
		byCommand[step.name] = counted;
		counted.sent += 1;
		if (!isRefusal(answer)) counted.succeeded += 1;
		if (step.foreign) count.replays += 1;
		const wrong = step.check(answer);
		if (wrong) report(one, "model", wrong);
		if (step.scope !== "all")
			for (const found of answers.foreignIn(step.request, answer, step.scope)) report(one, "answer", found);
		if (wrong) return;
		await step.settle?.(answer);
		for (const left of (await step.leftovers?.()) ?? []) report(one, "row", `left behind: ${left}`);
	};

	const carryOut = async (steps: Step[]): Promise<void> => {
		if (steps.length === 0) return;
		const done = await Promise.all(steps.map(send));
		await checkWrites(done);
		// in planned order, not in response order: the same seed gives the same model
		for (const one of done) await checkAnswer(one);
	};

	const plan = ({ kind, die }: Operation): Step | null => catalogue.plan(kind, model, rollWith(die));

	return {
		leaks,
		summary: () => ({ byCommand, ...count, canaryChecks: answers.canaryChecks() }),
		enterRound: (number: number): void => {
			round = number;
		},
		perform: async (operations: readonly Operation[], atOnce: boolean): Promise<void> => {
			let waiting: Step[] = [];
			const claimed = new Set<string>();
			const flush = async (): Promise<void> => {
				const steps = waiting;
				waiting = [];
				claimed.clear();
				await carryOut(steps);
			};
			for (const operation of operations) {
				if (model.operations + waiting.length >= most) break;
				let step = plan(operation);
				if (step && (step.alone || step.claims.some((claim) => claimed.has(claim)))) {
					await flush();
					// its preconditions may have changed
					step = plan(operation);
				}
				if (!step) continue;
				waiting.push(step);
				for (const claim of step.claims) claimed.add(claim);
				if (!atOnce || step.alone || waiting.length >= AT_ONCE) await flush();
			}
			await flush();
		},
	};
};
export type Performer = ReturnType<typeof createPerformer>;

/** The id of a tenant that a response created. */
const idIn = ({ json }: Answer): string => {
	const id = typeof json === "object" && json !== null && "id" in json ? json.id : undefined;
	return typeof id === "string" ? id : PLATFORM;
};
