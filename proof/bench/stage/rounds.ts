import { type Spread, spreadOf } from "./statistics.ts";

/** One request of a side, by its number; throws where the answer is not the one that was asked for. */
export type Act = (number: number) => Promise<void>;

export type Compared = {
	/** requests a second, of each round */
	speed: Spread;
	/** of each round: its requests a second over those of the first side */
	ratio: Spread;
};

/** A side that sends some requests, those from a number on, and says how many milliseconds they took. */
export type Volley = (first: number, count: number) => Promise<number>;

/** A round is so many volleys of so many requests for each side; the first request has the number `from`. */
export type Rounds = { rounds: number; volleys: number; requests: number; from?: number };

/**
 * Sends the same to all sides, volley by volley, so that what the machine does meanwhile happens to all of them. Who
 * begins changes each time. The volleys of a round are added up, and rounds are compared.
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
	// all are compiled and connected before anything counts
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
