import type { Roll } from "../model/roll.ts";
import type { Undo } from "./beliefs.ts";
import type { Answer } from "./call.ts";
import { drawPlan } from "./catalogue.ts";
import { hasSucceeded, judge } from "./judge.ts";
import type { Gap } from "./known-gaps.ts";
import { findLeftovers, type Writers } from "./leftovers.ts";
import type { Model } from "./model.ts";
import type { Step } from "./step.ts";
import type { Ticket } from "./ticket.ts";
import type { World } from "./world.ts";

/** So many requests are under way at once. */
const MOST_HELD = 4;
/** Most requests have fewer awaits. */
const AWAITS = 10;

export type Violation = { operation: number; request: string; message: string };
export type Counts = Record<string, { sent: number; succeeded: number; held: number }>;

type Running = { step: Step; ticket: Ticket; undo: Undo | null; answer: Answer | null; isHeld: boolean };

type Round = {
	world: World;
	model: Model;
	roll: Roll;
	operations: number;
	counts: Counts;
	gaps: Record<Gap, number>;
	trace: (line: string) => void;
	report: (violation: Violation) => void;
	isOver: () => boolean;
};

/** Plays random operations, some of which stop at an await and go on later. */
export const playRound = async ({ world, model, roll, operations, counts, gaps, trace, report, isOver }: Round) => {
	const { scheduler } = world;
	const held: Running[] = [];
	const writers: Writers = new Map();
	let operation = 0;

	const finish = async (running: Running): Promise<void> => {
		const { step, ticket, undo, answer } = running;
		if (!answer || ticket.answered === null) throw new Error(`${step.name} has no response`);
		if (step.right) for (const { id } of ticket.effects) if (id) writers.set(id, step.right.credential);
		const isSuccess = hasSucceeded(step, answer);
		const count = counts[step.name] ?? { sent: 0, succeeded: 0, held: 0 };
		counts[step.name] = count;
		count.sent += 1;
		count.held += running.isHeld ? 1 : 0;
		count.succeeded += isSuccess ? 1 : 0;
		const found = judge(model, step, ticket, answer);
		const wrong = found?.gap === null ? found.message : null;
		if (found?.gap) gaps[found.gap] += 1;
		trace(`${ticket.began}-${ticket.answered} ${describe(running)}: ${answer.status} ${answer.json?.code ?? ""}`);
		if (wrong) report({ operation, request: describe(running), message: wrong });
		if (undo && isSuccess) undo.answered = ticket.answered;
		else if (undo && answer.status < 500) model.undos.splice(model.undos.indexOf(undo), 1);
		if (!isSuccess) return;
		const ended = (step.ends?.() ?? []).map((end) => ({
			...end,
			began: ticket.began,
			decided: decidedAt(ticket),
			answered: ticket.answered ?? 0,
		}));
		model.ends.push(...ended);
		if (!wrong) step.settle?.(answer, ticket);
		if (!step.leftovers || ended.length === 0) return;
		for (const message of await findLeftovers(world, writers, step.leftovers, ended))
			report({ operation, request: describe(running), message });
	};

	/** Lets a request go on, to its end or to one of its next awaits. */
	const advance = async (running: Running, holdAt: number | null): Promise<void> => {
		await scheduler.run(running.ticket, holdAt);
		if (running.ticket.answered === null) {
			running.isHeld = true;
			if (!held.includes(running)) held.push(running);
		} else if (held.includes(running)) held.splice(held.indexOf(running), 1);
		model.busy.splice(0, model.busy.length, ...held.flatMap(({ step }) => step.about ?? []));
		if (running.ticket.answered !== null) await finish(running);
		// a holder of a lock may have been answered, too
		for (const other of [...held])
			if (other.ticket.answered !== null) {
				held.splice(held.indexOf(other), 1);
				await finish(other);
			}
	};

	const begin = async (step: Step): Promise<void> => {
		const running: Running = { step, ticket: undefined as never, undo: null, answer: null, isHeld: false };
		running.ticket = scheduler.start(step.name, async () => {
			running.answer = await step.send();
		});
		step.begin?.(running.ticket);
		if (step.undoes) {
			running.undo = { ...step.undoes, began: running.ticket.began, answered: null };
			model.undos.push(running.undo);
		}
		await advance(running, roll.chance(60) ? 1 + roll.below(AWAITS) : null);
	};

	const release = async (): Promise<void> => {
		const running = roll.pick(held);
		if (running) await advance(running, roll.chance(35) ? running.ticket.gates + 1 + roll.below(AWAITS / 2) : null);
	};

	while (operation < operations && !isOver()) {
		if (held.length >= MOST_HELD || (held.length > 0 && roll.chance(30))) {
			await release();
			continue;
		}
		const step = await drawPlan(roll, held.length > 0)({ model, world, roll });
		if (!step) continue;
		operation += 1;
		await begin(step);
	}
	for (let running = held[0]; running; running = held[0]) await advance(running, null);
	return operation;
};

/** When a request replaced what rights are compared with. */
const decidedAt = ({ effects, answered }: Ticket): number =>
	effects.find(({ table, columns }) => table === "user" && columns.some((column) => DECIDING.has(column)))?.at ??
	answered ??
	0;

const DECIDING = new Set(["rightsEpoch", "apiKeysSince"]);

const describe = ({ step, ticket, isHeld }: Running): string =>
	`${step.name}${step.about ? ` (${step.about.email.split("@")[0]})` : ""}${isHeld ? `, held, ${ticket.gates} awaits` : ""}`;
