import { type Spread, spreadOf } from "./statistics.ts";

/** One request of a side, by its number; throws unless the response is the expected one. */
export type Act = (number: number) => Promise<void>;

export type Compared = {
	/** requests per second, per round */
	speed: Spread;
	/** per round: its requests per second relative to the first side */
	ratio: Spread;
};

/** A side that sends requests from a given number on, and returns what they took. */
export type Volley<Spent> = (first: number, count: number) => Promise<Spent>;

/** A round has this many volleys of this many requests per side; the first request has the number `from`. */
export type Rounds = {
	rounds: number;
	/** rounds that are not returned, in which everything connects and compiles; 1 by default */
	warmUps?: number;
	volleys: number;
	requests: number;
	from?: number;
};

/**
 * Sends the same requests to all sides in volleys, so that other load on the machine affects all of them. The order
 * changes each time. Returns what each volley of each side took, by rounds.
 */
export const takeTurns = async <Name extends string, Spent>(
	sides: Record<Name, Volley<Spent>>,
	{ rounds, warmUps = 1, volleys, requests, from = 0 }: Rounds,
): Promise<Record<Name, Spent[]>[]> => {
	const names = Object.keys(sides) as Name[];
	let sent = from;
	const round = async (number: number): Promise<Record<Name, Spent[]>> => {
		const spent = Object.fromEntries(names.map((name): [Name, Spent[]] => [name, []])) as Record<Name, Spent[]>;
		for (let volley = 0; volley < volleys; volley += 1) {
			const order = names.map((_, at) => names[(at + volley) % names.length] as Name);
			for (const name of (number + volley) % 2 === 0 ? order : order.reverse()) {
				spent[name].push(await sides[name](sent, requests));
				sent += requests;
			}
		}
		return spent;
	};
	for (let number = 0; number < warmUps; number += 1) await round(number);
	const taken: Record<Name, Spent[]>[] = [];
	for (let number = 0; number < rounds; number += 1) taken.push(await round(number));
	return taken;
};

/** Compares the speed of all sides with that of the first. The volleys of a round are added up. */
export const compare = async <Name extends string>(
	sides: Record<Name, Volley<number>>,
	rounds: Rounds,
): Promise<Record<Name, Compared>> => {
	const taken = await takeTurns(sides, rounds);
	const names = Object.keys(sides) as Name[];
	const speedsOf = (name: Name): number[] =>
		taken.map((round) => (rounds.volleys * rounds.requests) / (sum(round[name]) / 1000));
	const first = speedsOf(names[0] as Name);
	const compared = names.map((name): [Name, Compared] => {
		const own = speedsOf(name);
		const ratios = own.map((speed, round) => speed / (first[round] ?? speed));
		return [name, { speed: spreadOf(own, 1), ratio: spreadOf(ratios, 4) }];
	});
	return Object.fromEntries(compared) as Record<Name, Compared>;
};

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
