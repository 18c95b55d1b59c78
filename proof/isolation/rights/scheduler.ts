import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "./deferred.ts";
import { newTicket, notify, type Ticket } from "./ticket.ts";

/** Says whether a request waits for a lock of another one. `others` already wait. */
export type IsBlocked = (ticket: Ticket, others: number) => Promise<boolean>;

export type Scheduler = ReturnType<typeof createScheduler>;

const POLL_MS = 5;
/** A request that asks nobody for so long waits for another one in this process: for a lookup that both need. */
const IDLE_POLLS = 40;
/** Nothing takes this long, unless two requests wait for each other. */
const STUCK_MS = 60_000;

/**
 * Lets one request run at a time, from one await to the next, so that the same seed gives the same interleaving. A request that
 * waits for a lock lets its holder run until the holder has left its transaction.
 */
export const createScheduler = (isBlocked: IsBlocked) => {
	const running = new AsyncLocalStorage<Ticket>();
	const tickets = new Set<Ticket>();
	let current: Ticket | null = null;
	let now = 0;

	const park = (ticket: Ticket, isHeld: boolean): void => {
		const { promise, resolve } = deferred();
		ticket.parked = { isHeld, opened: promise, open: resolve };
		notify(ticket);
	};

	/** Every await of a request that reaches a database, a storage, a hash or a mail stands behind one. */
	const pass = async (): Promise<void> => {
		const ticket = running.getStore();
		if (!ticket || ticket.answered !== null) return;
		ticket.gates += 1;
		const isDue = ticket.holdAt === "outside" ? ticket.transactions === 0 : ticket.holdAt === ticket.gates;
		if (isDue) ticket.holdAt = null;
		if (!ticket.parked && (isDue || current !== ticket)) park(ticket, isDue);
		while (ticket.parked) await ticket.parked.opened;
		now += 1;
		ticket.worked = now;
	};

	const resume = (ticket: Ticket): void => {
		const { parked } = ticket;
		ticket.parked = null;
		parked?.open();
	};

	/** Whom to let run, because a request waits for them: first those who wait for it themselves and were let go. */
	const holderFor = async (ticket: Ticket, waiting: Ticket[], idlePolls: number): Promise<Ticket | undefined> => {
		const parked = [...tickets].filter((one) => one.parked && one !== ticket);
		const others = parked.filter((one) => !waiting.includes(one));
		// one that waited for it may have what it waits for now
		if (idlePolls >= IDLE_POLLS) return others.sort((one, other) => one.gates - other.gates)[0] ?? parked[0];
		const holders = parked.filter(({ transactions }) => transactions > 0);
		const blocked = waiting.filter((one) => !one.parked && one.asked > 0).length;
		if (holders.length === 0 || !(await isBlocked(ticket, blocked))) return undefined;
		return holders.find((one) => waiting.includes(one)) ?? holders[0];
	};

	/** Runs a request until it is answered, or stops at the given await. */
	const run = async (ticket: Ticket, holdAt: Ticket["holdAt"], waiting: Ticket[] = []): Promise<void> => {
		const since = Date.now();
		const isRunning = () => ticket.answered === null && !ticket.parked?.isHeld;
		let idlePolls = 0;
		current = ticket;
		ticket.holdAt = holdAt;
		resume(ticket);
		while (isRunning()) {
			const { promise } = ticket.changed;
			const gates = ticket.gates;
			// one that runs beside it may park with a lock that it waits for
			await (tickets.size > 1 ? Promise.race([promise, sleep(POLL_MS)]) : promise);
			if (!isRunning()) break;
			if (Date.now() - since > STUCK_MS) throw new Error(`${ticket.name} is stuck after ${ticket.gates} awaits`);
			idlePolls = ticket.asked === 0 && ticket.gates === gates ? idlePolls + 1 : 0;
			const holder = ticket.parked ? undefined : await holderFor(ticket, waiting, idlePolls);
			// it goes on when the one that it waits for does
			if (holder && waiting.includes(holder)) return;
			if (holder && isRunning()) {
				await run(holder, holder.transactions > 0 ? "outside" : holder.gates + 1, [...waiting, ticket]);
				idlePolls = 0;
			}
			current = ticket;
			if (ticket.parked && !ticket.parked.isHeld) resume(ticket);
		}
	};

	/** Counts what a request waits for. */
	const asking = async <Result>(ask: () => Promise<Result>): Promise<Result> => {
		const ticket = running.getStore();
		if (!ticket) return ask();
		ticket.asked += 1;
		return ask().finally(() => {
			ticket.asked -= 1;
		});
	};

	return {
		pass,
		asking,
		now: () => now,
		ticket: () => running.getStore(),
		/** Starts a request, which stops before its first await. */
		start: (name: string, send: () => Promise<void>): Ticket => {
			const ticket = newTicket(name, ++now);
			tickets.add(ticket);
			park(ticket, true);
			const finish = (): void => {
				ticket.answered = ++now;
				tickets.delete(ticket);
				notify(ticket);
			};
			void running.run(ticket, async () => {
				await ticket.parked?.opened;
				await send().finally(finish);
			});
			return ticket;
		},
		run: (ticket: Ticket, holdAt: number | null): Promise<void> => run(ticket, holdAt),
	};
};
