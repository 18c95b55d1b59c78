import type { Compared } from "../stage/rounds.ts";
import type { Counted } from "./count-statements.ts";
import type { SideName } from "./side-names.ts";

export type MeasuredFlow = {
	name: string;
	setting: string;
	goal: number;
	/** of a volley */
	requests: number;
	/** of a round */
	volleys: number;
	parallel: number;
	compared: Record<SideName, Compared>;
	statements: Counted;
};

export type AgainstBareResult = { rounds: number; flows: MeasuredFlow[] };
