import { type Spread, spreadOf } from "./statistics.ts";

/** One request of a side, by its number; throws unless the response is the expected one. */
export type Act = (number: number) => Promise<void>;

export type Compared = {
	/** requests per second, per round */
	speed: Spread;
	/** per round: its requests per second relative to the first side */
	ratio: Spread;
};

/** A side that sends requests from a given number on, and returns the milliseconds they took. */
export type Volley = (first: number, count: number) => Promise<number>;

/** A round has this many volleys of this many requests per side; the first request has the number `from`. */
export type Rounds = { rounds: number; volleys: number; requests: number; from?: number };

/**
 * Sends the same requests to all sides in volleys, so that other load on the machine affects all of them. The order
 * changes each time. The volleys of a round are added up, and rounds are compared.
 */
export const compare = async <Name extends string>(
	sides: Record<Name, Volley>,
	{ rounds, volleys, requests, from = 0 }: Rounds,
): Promise<Record<Name, Compared>> => {
	const names = Object.keys(sides) as Name[];
	const speeds = new Map<Name, number[]>(names.map((name) => [name, []]));
	let sent = from;
	const send = (name: Name): Promise<number> => {
		const first = sent;
		sent += requests;
		return sides[name](first, requests);
	};
	const round = async (number: number): Promise<Map<Name, number>> => {
		const spent = new Map<Name, number>(names.map((name) => [name, 0]));
		for (let volley = 0; volley < volleys; volley += 1) {
			const order = names.map((_, at) => names[(at + volley) % names.length] as Name);
			for (const name of (number + volley) % 2 === 0 ? order : order.reverse())
				spent.set(name, (spent.get(name) ?? 0) + (await send(name)));
		}
		return spent;
	};
	// compiles and connects all before measuring
	await round(0);
	for (let number = 0; number < rounds; number += 1)
		for (const [name, spent] of await round(number)) speeds.get(name)?.push((volleys * requests) / (spent / 1000));
	const first = speeds.get(names[0] as Name) ?? [];
	const compared = names.map((name): [Name, Compared] => {
		const own = speeds.get(name) ?? [];
		const ratios = own.map((speed, round) => speed / (first[round] ?? speed));
		return [name, { speed: spreadOf(own, 1), ratio: spreadOf(ratios, 4) }];
	});
	return Object.fromEntries(compared) as Record<Name, Compared>;
};
